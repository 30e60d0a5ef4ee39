//! Numbers with units, read strictly: what is not understood to the last character is refused.

/// A duration in picoseconds: a decimal number and one of ps, ns, us, ms, s.
pub fn duration_ps(text: &str) -> Result<u64, String> {
    let units =
        [("ps", 1), ("ns", 1_000), ("us", 1_000_000), ("ms", 1_000_000_000), ("s", 1_000_000_000_000)];
    scaled(text, &units, "a duration like 2us: a number and ps, ns, us, ms or s")
}

/// A rate in bits per second: a decimal number and one of k, M, G, T.
pub fn bits_per_second(text: &str) -> Result<u64, String> {
    let units = [("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000), ("T", 1_000_000_000_000)];
    scaled(text, &units, "a rate like 10G: a number and k, M, G or T, in bits per second")
}

/// A number of bytes: digits alone, or a decimal number and one of k, M, KiB, MiB, GiB.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units =
        [("k", 1000), ("M", 1_000_000), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)];
    scaled(text, &units, "a number of bytes like 4096 or 1MiB: a number and k, M, KiB, MiB, GiB or nothing")
}

/// A plane and a time, in picoseconds from the start of the run: like 1@500us.
pub fn plane_and_time(text: &str) -> Result<(u8, u64), String> {
    let needed = || "needed is a plane and a time like 1@500us".to_owned();
    let (plane, time) = text.split_once('@').ok_or_else(needed)?;
    let digits = !plane.is_empty() && plane.bytes().all(|byte| byte.is_ascii_digit());
    let plane = digits.then(|| plane.parse().ok()).flatten().ok_or_else(needed)?;
    Ok((plane, duration_ps(time)?))
}

/// The number times its unit, which must be whole.
fn scaled(text: &str, units: &[(&str, u64)], needed: &str) -> Result<u64, String> {
    let refused = || format!("needed is {needed}");
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let &(_, unit) = units.iter().find(|(name, _)| *name == unit).ok_or_else(refused)?;
    let (whole, fraction) = number.split_once('.').map_or((number, None), |(w, f)| (w, Some(f)));
    if whole.is_empty() || fraction.is_some_and(|f| f.is_empty() || f.contains('.')) {
        return Err(refused());
    }
    let too_large = || format!("{text} is beyond what 64 bits hold");
    let whole: u64 = whole.parse().map_err(|_| too_large())?;
    let fraction = fraction.unwrap_or("").trim_end_matches('0');
    let broken = || format!("{text} is no whole number of the smallest unit; needed is {needed}");
    // No unit is a multiple of 10^19: more digits than that are a fraction of every smallest unit.
    let tenths =
        10u128.checked_pow(fraction.len() as u32).filter(|_| fraction.len() < 20).ok_or_else(broken)?;
    let part = u128::from(unit) * fraction.parse::<u128>().unwrap_or(0);
    if part % tenths != 0 {
        return Err(broken());
    }
    let value = u128::from(whole) * u128::from(unit) + part / tenths;
    u64::try_from(value).map_err(|_| too_large())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_understood_is_exact() {
        let durations =
            [("0ns", 0), ("2us", 2_000_000), ("1.5us", 1_500_000), ("0.008us", 8_000), ("7ps", 7)];
        for (text, want) in durations {
            assert_eq!(duration_ps(text), Ok(want), "{text}");
        }
        assert_eq!(bits_per_second("10G"), Ok(10_000_000_000));
        assert_eq!(bits_per_second("2.5G"), Ok(2_500_000_000));
        assert_eq!((bytes("100k"), bytes("1.5M")), (Ok(100_000), Ok(1_500_000)));
        assert_eq!((bytes("0"), bytes("4097"), bytes("1MiB")), (Ok(0), Ok(4097), Ok(1 << 20)));
        assert_eq!((bytes("1.5MiB"), bytes("0.125KiB"), bytes("2.000")), (Ok(3 << 19), Ok(128), Ok(2)));
    }

    #[test]
    fn a_plane_and_a_time_are_read_to_the_last_character() {
        assert_eq!(plane_and_time("1@500us"), Ok((1, 500_000_000)));
        assert_eq!(plane_and_time("15@0ns"), Ok((15, 0)));
        for text in ["", "1", "@5us", "1@", "1@5", "+1@5us", " 1@5us", "1@5us@6us", "256@5us", "-1@5us"] {
            assert!(plane_and_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in [
            "", "us", "2", "2 us", "2US", "-2us", "+2us", ".5us", "5.us", "1.2.3us", "2usx", "1e3us", "0x2us",
        ] {
            assert!(duration_ps(text).is_err(), "{text}");
        }
        assert!(bytes("0.1KiB").unwrap_err().starts_with("0.1KiB is no whole number"));
        assert!(duration_ps("1.000000000000000000000000000000000000000001s").is_err());
        assert!(duration_ps("0.5ps").unwrap_err().starts_with("0.5ps is no whole number"));
        assert!(bits_per_second("10").is_err() && bits_per_second("10g").is_err());
        assert!(bytes("1MB").is_err() && bytes("1.5").is_err());
        for text in ["99999999999999999999s", "99999999s"] {
            assert!(duration_ps(text).unwrap_err().contains("64 bits"), "{text}");
        }
    }
}
