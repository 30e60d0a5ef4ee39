//! Numbers of a plan, with their units.

use crate::time::{Ps, Rate};
use crate::units;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// A string with a unit: how it is read and, in the largest unit that leaves a whole number, written.
macro_rules! text {
    ($name:ident, $wanted:literal) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;
                impl Visitor<'_> for Text {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($wanted)
                    }
                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        $name::parse(text).map_err(|e| E::custom(format!("{text:?} is not understood: {e}")))
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}

/// The largest unit of which `value` is a whole number.
fn whole(f: &mut fmt::Formatter<'_>, value: u64, units: &[(&str, u64)]) -> fmt::Result {
    let fits = |&&(_, unit): &&(&str, u64)| value % unit == 0 && (value > 0 || unit == 1);
    let &(name, unit) = units.iter().find(fits).unwrap_or(&("", 1));
    write!(f, "{}{name}", value / unit)
}

/// A time, like "2us".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(pub Ps);
text!(Duration, "a duration like \"2us\"");

impl Duration {
    fn parse(text: &str) -> Result<Self, String> {
        units::duration_ps(text).map(|ps| Self(Ps(ps)))
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units =
            [("s", 1_000_000_000_000), ("ms", 1_000_000_000), ("us", 1_000_000), ("ns", 1_000), ("ps", 1)];
        whole(f, self.0 .0, &units)
    }
}

/// Bytes, like "1MiB".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);
text!(Bytes, "a number of bytes like \"4096\" or \"1MiB\"");

impl Bytes {
    fn parse(text: &str) -> Result<Self, String> {
        units::bytes(text).map(Self)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        whole(f, self.0, &[("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("", 1)])
    }
}

/// A rate in bits per second, like "100G".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitRate(pub Rate);
text!(BitRate, "a rate like \"100G\"");

impl BitRate {
    fn parse(text: &str) -> Result<Self, String> {
        let bits = units::bits_per_second(text)?;
        Rate::new(bits).map(Self).ok_or_else(|| "possible are 1M to 100T".to_owned())
    }
}

impl fmt::Display for BitRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [("T", 1_000_000_000_000), ("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000), ("", 1)];
        whole(f, self.0.bits_per_second(), &units)
    }
}

/// Capacity towards the hosts over capacity away from them, like "2:1".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Towards the hosts.
    pub down: u32,
    /// Away from the hosts.
    pub up: u32,
}
text!(Ratio, "a ratio like \"2:1\"");

impl Ratio {
    fn parse(text: &str) -> Result<Self, String> {
        let side = |side: &str| side.parse().ok().filter(|n| *n > 0 && !side.starts_with('+'));
        let sides = text.split_once(':').and_then(|(down, up)| Some((side(down)?, side(up)?)));
        let (down, up) = sides.ok_or("needed are two whole numbers like 2:1, 1 or more")?;
        Ok(Self { down, up })
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.down, self.up)
    }
}

/// A probability, in thousand millionths; a plan says 0.01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probability(u32);

impl Probability {
    /// Never.
    pub const ZERO: Self = Self(0);
    /// What stands for certainty.
    pub const ONE: u32 = 1_000_000_000;

    /// In thousand millionths, at most [`Self::ONE`].
    pub const fn from_billionths(billionths: u32) -> Option<Self> {
        match billionths <= Self::ONE {
            true => Some(Self(billionths)),
            false => None,
        }
    }

    /// In thousand millionths.
    pub const fn billionths(self) -> u32 {
        self.0
    }

    /// As a fraction of 1.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / f64::from(Self::ONE)
    }
}

impl<'de> Deserialize<'de> for Probability {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        let billionths = value * f64::from(Self::ONE);
        let whole = billionths.round();
        if !(0.0..=1.0).contains(&value) || (billionths - whole).abs() > 1e-4 {
            let needed = "possible are 0 to 1 in steps of 0.000000001";
            return Err(de::Error::custom(format!("{value} is not understood: {needed}")));
        }
        Ok(Self(whole as u32))
    }
}

impl Serialize for Probability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.fraction())
    }
}
