//! What faults do to a fabric.

use super::fault::Step;
use super::follow::note;
use super::{Drop, Fabric, Happening};
use crate::events::Events;
use crate::time::Ps;

impl<B> Fabric<B> {
    /// A step of a schedule of faults; `up` says which links are up now.
    pub fn fail<T: Copy + Ord>(
        &mut self,
        now: Ps,
        step: &Step,
        up: &[bool],
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) {
        note(&mut self.follower, |follower| follower.set_now(now));
        match step {
            Step::Links { down, up } => {
                for &link in down {
                    let wire = &mut self.wires[link as usize];
                    wire.up = false;
                    wire.port.clear(now);
                    self.cables[link as usize].generation += 1;
                }
                for &link in down {
                    if let Some(queues) = &mut self.queues {
                        queues.down(now, link);
                    }
                    self.settle(Drop::Link, events, &wrap);
                }
                up.iter().for_each(|&link| self.wires[link as usize].up = true);
            }
            Step::Mute { mute, heard } => {
                mute.iter().for_each(|&link| self.wires[link as usize].mute = true);
                heard.iter().for_each(|&link| self.wires[link as usize].mute = false);
            }
            &Step::Reroute(plane) => self.routes.recompute(&self.topology, plane, up),
            &Step::Rehash(times) => {
                for (chooser, switch) in self.choosers.iter_mut().zip(0..) {
                    chooser.rehash(self.seed, switch, times);
                }
            }
            &Step::Rate(cable, rate) => {
                for link in [2 * cable, 2 * cable + 1] {
                    let wire = &mut self.wires[link as usize];
                    wire.port.set_rate(rate);
                    if let Some(queues) = &mut self.queues {
                        queues.set_rate(link, rate);
                    }
                    let unmarked = self.markers[link as usize].never_up_to();
                    wire.unmarked = if unmarked == u64::MAX { Ps::NEVER } else { rate.time_of(unmarked) };
                }
            }
        }
    }
}
