//! `random`: what [`ww_dataplane::random`] defines.

use super::super::machine::Machine;
use super::super::values::Value;
use super::Arguments;
use super::hash::number;
use crate::bits::Bits;
use ww_dataplane::random::{Draw, Drawer, between, site};
use ww_p4::ir::{Call, Span};

impl<'a> Machine<'a> {
    /// The next 64 bits for a call site of the packet at work.
    pub(super) fn draw(&mut self, at: Span) -> u64 {
        let here = site(at.begin(), self.packet.behind_ingress);
        let draws = &mut self.packet.draws;
        let count = match draws.iter_mut().find(|(site, _)| *site == here) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                draws.push((here, 0));
                0
            }
        };
        let tag = self.packet.tag;
        let draw = Draw { seed: self.loaded.options.seed, site: here, count };
        draw.number(Drawer { packet: tag.packet, copy: tag.copy })
    }

    /// `random(result, lo, hi)`: both ends are included. If `lo > hi` the result is `lo`.
    pub(super) fn random_function(&mut self, arguments: &mut Arguments<'a>, call: &'a Call) {
        let (low, high) = (number(arguments.value(1)), number(arguments.value(2)));
        let width = arguments.width(self, 0);
        let result = between(low, &high, width, || self.draw(call.span));
        arguments.set(0, Value::Bits(Bits::from_biguint(width, &result)));
    }
}
