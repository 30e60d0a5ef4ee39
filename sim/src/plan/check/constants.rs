//! Constants of the protocol in `transport`.

use super::{number, time, unused, Refusal};
use crate::heddle::Constants;
use crate::plan::quantity::{Duration, Probability};
use crate::plan::settings::TransportSettings;
use crate::time::Ps;

/// Most round trips of which window or stretch can be, each.
const MOST_RTTS: f64 = 3.75;

/// Checks them.
pub fn check(given: &TransportSettings) -> Result<Constants, Refusal> {
    let own = Constants::default();
    if given.window.is_some() {
        let fixed = "transport.window, which stands for congestion control";
        unused("transport.initial_window", &given.initial_window, fixed)?;
        unused("transport.target", &given.target, fixed)?;
        unused("transport.window_rtts", &given.window_rtts, fixed)?;
        unused("transport.stretch_rtts", &given.stretch_rtts, fixed)?;
    }
    let initial_window = given.initial_window.unwrap_or(own.initial_window);
    let ack_every = given.ack_every.unwrap_or(own.ack_every);
    let ack_deadlines = given.ack_deadlines.unwrap_or(own.ack_deadlines);
    Ok(Constants {
        initial_window: number("transport.initial_window", initial_window, 1, 256)?,
        target_permille: given.target.map_or(Ok(own.target_permille), permille)?,
        window_quarters: quarters("transport.window_rtts", given.window_rtts, own.window_quarters, 1.0)?,
        stretch_quarters: quarters("transport.stretch_rtts", given.stretch_rtts, own.stretch_quarters, 0.0)?,
        ack_every: number("transport.ack_every", ack_every, 1, 31)?,
        ack_delay_ticks: given
            .ack_delay
            .map_or(Ok(own.ack_delay_ticks), |t| ticks("transport.ack_delay", t))?,
        ack_deadlines: number("transport.ack_deadlines", ack_deadlines, 1, 255)?,
        rto0_ticks: given.rto0.map(|rto0| ticks("transport.rto0", rto0)).transpose()?,
    })
}

/// None of them is said: another transport does not have them.
pub fn unused_all(given: &TransportSettings, of: &str) -> Result<(), Refusal> {
    unused("transport.initial_window", &given.initial_window, of)?;
    unused("transport.target", &given.target, of)?;
    unused("transport.window_rtts", &given.window_rtts, of)?;
    unused("transport.stretch_rtts", &given.stretch_rtts, of)?;
    unused("transport.ack_every", &given.ack_every, of)?;
    unused("transport.ack_delay", &given.ack_delay, of)?;
    unused("transport.ack_deadlines", &given.ack_deadlines, of)?;
    unused("transport.rto0", &given.rto0, of)
}

/// A share of a port, in thousandths.
fn permille(given: Probability) -> Result<u32, Refusal> {
    let key = "transport.target";
    number(key, given.fraction(), 0.5, 1.0)?;
    match given.billionths() % 1_000_000 {
        0 => Ok(given.billionths() / 1_000_000),
        _ => Err(Refusal::new(key, format!("{} is no whole number of thousandths", given.fraction()))),
    }
}

/// Round trips, in quarters of one.
fn quarters(key: &str, given: Option<f64>, own: u8, least: f64) -> Result<u8, Refusal> {
    let Some(given) = given else { return Ok(own) };
    let quarters = number(key, given, least, MOST_RTTS)? * 4.0;
    match quarters.fract() == 0.0 {
        true => Ok(quarters as u8),
        false => Err(Refusal::new(key, format!("{given} is no whole number of quarters, like 1.25"))),
    }
}

/// A time in the protocol's ticks, as many as the type has room for and no more than a second.
fn ticks<T: TryFrom<u64>>(key: &str, given: Duration) -> Result<T, Refusal> {
    let Ps(ps) = time(key, given, Ps(Ps::TICK))?;
    let ticks = (ps % Ps::TICK == 0 && ps <= 1_000_000_000_000).then_some(ps / Ps::TICK);
    let needed = match std::mem::size_of::<T>() {
        2 => "524280ns",
        _ => "1s",
    };
    ticks.and_then(|ticks| T::try_from(ticks).ok()).ok_or_else(|| {
        Refusal::new(key, format!("{given} is not possible: steps of 8ns are, from 8ns to {needed}"))
    })
}
