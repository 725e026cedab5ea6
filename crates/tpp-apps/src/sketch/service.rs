//! The link-monitoring service: merges what hosts push. Several instances share the links.

use super::bitmap::Estimate;
use super::links::LinkSketches;
use super::push::{Push, Refused};
use super::{Link, hash};
use std::collections::BTreeMap;

/// Epochs that are kept: the current one, and the one before, of which messages may still come.
const EPOCHS: usize = 2;

/// The instance, of so many, that has a link: the one whose hash together with the link is the largest, so that only a
/// share of the links moves when there is one more.
pub fn instance_of(link: Link, instances: u32) -> u32 {
    let number = u64::from(link.switch) << 16 | u64::from(link.port);
    (0..instances).max_by_key(|instance| hash(number << 32 | u64::from(*instance))).unwrap_or(0)
}

/// One instance of the service.
#[derive(Clone, Debug)]
pub struct Service {
    bits: usize,
    room: usize,
    /// Which of how many.
    instance: (u32, u32),
    epochs: BTreeMap<u32, LinkSketches>,
}

impl Service {
    /// Instance `instance.0` of `instance.1`, for at most `room` links with bitmaps of `bits` bits. `None` as for
    /// [`LinkSketches::new`].
    pub fn new(bits: usize, room: usize, instance: (u32, u32)) -> Option<Self> {
        LinkSketches::new(bits, room)?;
        Some(Self { bits, room, instance, epochs: BTreeMap::new() })
    }

    /// Takes a message in. A newer epoch ends the one before the last.
    ///
    /// # Errors
    /// It is not a good one, or not for this instance; nothing of it was taken.
    pub fn take(&mut self, message: &[u8]) -> Result<(), Refused> {
        let push = Push::new(message, self.bits)?;
        let (own, instances) = self.instance;
        if push.links().into_iter().any(|link| instance_of(link, instances) != own) {
            return Err(Refused::Instance);
        }
        let is_full = self.epochs.len() == EPOCHS && !self.epochs.contains_key(&push.epoch);
        let oldest = self.epochs.first_key_value().map(|(epoch, _)| *epoch);
        if is_full && oldest.is_some_and(|oldest| push.epoch < oldest) {
            return Err(Refused::Epoch);
        }
        if is_full {
            self.epochs.pop_first();
        }
        if let Some(sketches) = LinkSketches::new(self.bits, self.room) {
            push.merge_into(self.epochs.entry(push.epoch).or_insert(sketches));
        }
        Ok(())
    }

    /// What is known of the newest epoch.
    pub fn latest(&self) -> Option<&LinkSketches> {
        self.epochs.last_key_value().map(|(_, sketches)| sketches)
    }

    /// What is known of an epoch.
    pub fn epoch(&self, epoch: u32) -> Option<&LinkSketches> {
        self.epochs.get(&epoch)
    }

    /// How many different elements each link has seen in an epoch.
    pub fn estimates(&self, epoch: u32) -> BTreeMap<Link, Estimate> {
        let Some(sketches) = self.epoch(epoch) else { return BTreeMap::new() };
        sketches.iter().map(|(link, bitmap)| (link, super::bitmap::estimate(bitmap))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::push::messages;
    use super::*;

    const LINK: Link = Link { switch: 1, port: 2 };

    #[test]
    fn two_epochs_are_kept() {
        let mut service = Service::new(64, 4, (0, 1)).expect("a good size");
        let message =
            |epoch, bits: u64| messages(epoch, [(LINK, [bits].as_slice())], 1400).remove(0);
        for (epoch, bits) in [(5, 1), (6, 2), (5, 4)] {
            assert_eq!(service.take(&message(epoch, bits)), Ok(()));
        }
        let found = |service: &Service, epoch| {
            service.epoch(epoch).and_then(|all| all.bitmap(LINK)).map(<[u64]>::to_vec)
        };
        assert_eq!((found(&service, 5), found(&service, 6)), (Some(vec![5]), Some(vec![2])));
        assert_eq!(service.take(&message(8, 1)), Ok(()));
        assert_eq!(service.take(&message(5, 1)), Err(Refused::Epoch));
        assert_eq!(
            (found(&service, 5), service.estimates(5).len(), service.estimates(8).len()),
            (None, 0, 1)
        );
    }

    /// Each link has one instance, each instance about as many links, and one more takes its share from the others alone.
    #[test]
    fn instances_share_links() {
        let links: Vec<Link> =
            (0..40).flat_map(|switch| (0..100).map(move |port| Link { switch, port })).collect();
        let shares = |n: u32| {
            let mut shares = vec![0; n as usize];
            links.iter().for_each(|link| shares[instance_of(*link, n) as usize] += 1);
            shares
        };
        // Of 4,000 links 1,000 each; the standard deviation is sqrt(4000 * 1/4 * 3/4) = 27.
        assert!(
            shares(4).iter().all(|share: &i32| (share - 1000).abs() < 3 * 27),
            "{:?}",
            shares(4)
        );
        let moved = |link: &&Link| instance_of(**link, 4) != instance_of(**link, 5);
        assert!(links.iter().filter(moved).all(|link| instance_of(*link, 5) == 4));
        let mut one = Service::new(64, 4, (1 - instance_of(LINK, 2), 2)).expect("a good size");
        let message = messages(1, [(LINK, [1].as_slice())], 1400).remove(0);
        assert_eq!(one.take(&message), Err(Refused::Instance));
    }
}
