//! Random messages between the hosts of a pipe, each told of exactly once.

use super::Pipe;
use heddle_sim::endpoint::{Endpoint, News, Post, Verb};
use heddle_sim::time::Ps;
use rand::Rng;

/// Messages of a run.
pub const MESSAGES: u32 = 120;

impl<E: Endpoint> Pipe<E> {
    /// Moves [`MESSAGES`] WRITEs and READs between three hosts, over two connections of each pair, until `end`: every one is delivered and
    /// completed once where it must be, and every byte is placed once. `about` says which run it is; how many news were checked.
    pub fn random_messages(&mut self, seed: u64, end: Ps, about: &str) -> u32 {
        let mut rng = heddle_sim::seed::stream(seed, "messages", 0);
        let mut posts = Vec::new();
        for id in 0..MESSAGES {
            let (host, step) = (rng.gen_range(0..3u32), rng.gen_range(1..3u32));
            let verb = if rng.gen() { Verb::Write } else { Verb::Read };
            let bytes = rng.gen_range(1..=if id % 10 == 0 { 300_000 } else { 20_000 });
            let post = Post { id, peer: (host + step) % 3, connection: rng.gen_range(0..2), verb, bytes };
            posts.push((host, post));
            self.post(host, &post);
            let until = self.now + Ps(rng.gen_range(0..3_000_000));
            self.run(until);
        }
        self.run(end);
        let mut checked = 0;
        for (host, post) in &posts {
            let receiver = if post.verb == Verb::Write { post.peer } else { *host };
            for (who, news) in [(receiver, News::Delivered(post.id)), (*host, News::Completed(post.id))] {
                let times = self.told.iter().filter(|(_, at, told)| (*at, *told) == (who, news)).count();
                assert_eq!(times, 1, "{news:?} at {who}, {about}, seed {seed}");
                checked += 1;
            }
        }
        assert_eq!(self.told.len(), 2 * posts.len());
        assert_eq!(self.placed, posts.iter().map(|(_, post)| u64::from(post.bytes)).sum::<u64>());
        checked
    }
}
