//! Deparsers: what is emitted, where it lands, and what may stay in the packet where it is.

use super::super::dataflow::ValueId;
use super::super::refusal::Reason;
use super::environment::{Environment, Slot};
use super::parser::Parsed;
use super::{Lowering, NOT_KEPT};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use ww_p4::pipeline::{BinaryOp, Body, FieldId, FieldRole, HeaderId, OpKind, Pipeline};

/// Most places that all headers together can land at.
const MAX_PLACES: usize = 20_000;

/// A header that is emitted.
#[derive(Clone, Debug)]
pub struct Emission {
    /// Which.
    pub header: HeaderId,
    /// Whether it is.
    pub present: ValueId,
    /// Whether that is nothing but its validity.
    pub plain: bool,
    /// What is known then.
    env: Environment,
}

/// What the deparser puts in front of the payload.
#[derive(Clone, Debug)]
pub struct Deparsed {
    /// Bytes from the first on, 8 bits each.
    pub bytes: Vec<ValueId>,
    /// How many of them there are, 16 bits.
    pub length: ValueId,
    /// How many bytes of the packet as it came they stand for, 16 bits.
    pub skip: ValueId,
}

/// What may lie in a byte: by the bits in front and behind, conditions and values.
type Lane = BTreeMap<(u32, u32), Vec<(ValueId, ValueId)>>;

/// A header of one length under a condition.
struct Variant {
    condition: ValueId,
    bits: u64,
    /// `None` for no bits.
    value: Option<ValueId>,
}

impl Lowering<'_> {
    /// Notes that a header is emitted.
    pub fn emit(&mut self, env: &Environment, header: HeaderId, active: ValueId) {
        let valid = self.field(env, self.pipeline[header].valid);
        let present = self.enabled(env, active);
        let plain = self.graph.as_bit(present) == Some(true);
        let present = self.graph.and(present, valid);
        if self.graph.as_bit(present) != Some(false) {
            self.emissions.push(Emission { header, present, plain, env: env.clone() });
        }
    }

    /// The last headers that the deparser emits, if they are emitted as the parser found them
    /// and lie in the packet one behind the other in front of the payload.
    /// `originals` are the values that fields of headers have behind the parser.
    pub fn unchanged_tail(
        &mut self,
        parsed: &Parsed,
        originals: &BTreeMap<FieldId, ValueId>,
    ) -> Vec<HeaderId> {
        let emissions = self.emissions.clone();
        let touched = touched_by_parser(self.pipeline);
        let unchanged = |this: &mut Self, emission: &Emission| {
            emission.plain
                && !touched.contains(&emission.header)
                && emissions.iter().filter(|e| e.header == emission.header).count() == 1
                && this.header_fields(emission.header).into_iter().all(|field| {
                    this.pipeline[field].width == 0
                        || originals.get(&field) == Some(&this.field(&emission.env, field))
                })
        };
        let mut tail: Vec<HeaderId> = Vec::new();
        for emission in emissions.iter().rev() {
            if !unchanged(self, emission) {
                break;
            }
            tail.insert(0, emission.header);
        }
        while !tail.is_empty() && !lies_at_the_end(parsed, &tail) {
            tail.remove(0);
        }
        tail
    }

    /// Puts what was emitted together.
    /// `skip` bytes of the packet go.
    pub fn deparsed(&mut self, skip: ValueId) -> Deparsed {
        let always = self.graph.bit(true);
        let mut places: BTreeMap<u64, ValueId> = BTreeMap::from([(0, always)]);
        let mut bytes: Vec<Lane> = Vec::new();
        let mut count = 0;
        for emission in self.emissions.clone() {
            if self.kept.contains(&emission.header) {
                continue;
            }
            let absent = self.not(emission.present);
            let mut next: BTreeMap<u64, ValueId> = BTreeMap::new();
            let variants = self.variants(&emission);
            for (at, here) in places {
                let stays = self.graph.and(here, absent);
                self.place(&mut next, at, stays);
                for variant in &variants {
                    let gate = self.graph.and(here, variant.condition);
                    if self.graph.as_bit(gate) == Some(false)
                        || self.conditions.is_never(&self.graph, gate)
                    {
                        continue;
                    }
                    count += 1;
                    if count > MAX_PLACES {
                        let span = self.pipeline[emission.header].span;
                        self.too_large(MAX_PLACES, "places of headers in the deparser", Some(span));
                        break;
                    }
                    self.place(&mut next, at + variant.bits, gate);
                    if let Some(value) = variant.value {
                        self.land(&mut bytes, at, gate, value);
                    }
                }
            }
            places = next;
        }
        let span = self.emissions.first().map(|e| self.pipeline[e.header].span);
        if places.keys().any(|at| at % 8 != 0) {
            self.refuse(Reason::PartialByte, "", span);
        }
        let lengths =
            places.into_iter().map(|(at, condition)| (condition, self.graph.constant(16, at / 8)));
        let lengths: Vec<_> = lengths.collect();
        let length = self.one_of(16, lengths);
        let bytes: Vec<ValueId> = bytes.into_iter().map(|lane| self.byte(lane)).collect();
        Deparsed { bytes, length, skip }
    }

    /// Bytes of the packet that what is emitted stands for.
    pub fn skip(&mut self, parsed: &Parsed) -> ValueId {
        if parsed.cursors.iter().any(|(_, cursor)| cursor % 8 != 0) {
            self.refuse(Reason::PartialByte, "", None);
        }
        let cursors: Vec<_> = parsed
            .cursors
            .iter()
            .map(|(condition, cursor)| (*condition, self.graph.constant(16, cursor / 8)))
            .collect();
        let cursor = self.one_of(16, cursors);
        let kept = self.get(&parsed.env, Slot::Kept);
        let none = self.graph.is(kept, NOT_KEPT);
        self.graph.mux(none, cursor, kept)
    }

    /// The value whose condition holds; one always does.
    fn one_of(&mut self, width: u32, choices: Vec<(ValueId, ValueId)>) -> ValueId {
        if let [(_, value)] = choices[..] {
            return value;
        }
        self.graph.one_hot(width, choices)
    }

    fn place(&mut self, places: &mut BTreeMap<u64, ValueId>, at: u64, condition: ValueId) {
        if self.graph.as_bit(condition) == Some(false)
            || self.conditions.is_never(&self.graph, condition)
        {
            return;
        }
        let before = places.get(&at).copied();
        let either = match before {
            Some(before) => self.graph.or(before, condition),
            None => condition,
        };
        places.insert(at, either);
    }

    /// The lengths that a header can have.
    fn variants(&mut self, emission: &Emission) -> Vec<Variant> {
        let header = self.pipeline[emission.header].clone();
        let varbit = header.layout.iter().find_map(|item| item.length.map(|l| (item.field, l)));
        let lengths: Vec<(ValueId, u64)> = match varbit {
            None => vec![(emission.present, 0)],
            Some((field, length)) => {
                let length = self.field(&emission.env, length);
                let most = u64::from(self.pipeline[field].width);
                (0..=most)
                    .step_by(8)
                    .map(|bits| {
                        let here = self.graph.is(length, bits);
                        (self.graph.and(emission.present, here), bits)
                    })
                    .collect()
            }
        };
        let mut variants = Vec::new();
        for (condition, variable) in lengths {
            let mut parts = Vec::new();
            for item in &header.layout {
                let width = self.pipeline[item.field].width;
                if width == 0 {
                    continue;
                }
                let value = self.field(&emission.env, item.field);
                match item.length {
                    None => parts.push(value),
                    Some(_) if variable == 0 => {}
                    Some(_) => {
                        let bits = variable as u32;
                        parts.push(self.graph.slice(value, width - bits, bits));
                    }
                }
            }
            let bits = u64::from(header.fixed_bits) + variable;
            let value = (!parts.is_empty()).then(|| self.graph.join(parts));
            variants.push(Variant { condition, bits, value });
        }
        variants
    }

    /// A byte: of each part of it at most one value is there.
    fn byte(&mut self, lane: Lane) -> ValueId {
        let mut byte = self.graph.zero(8);
        for choices in lane.into_values() {
            let part = self.graph.one_hot(8, choices);
            byte = self.graph.binary(BinaryOp::Or, byte, part);
        }
        byte
    }

    /// Lays a header's bits into bytes.
    fn land(&mut self, bytes: &mut Vec<Lane>, at: u64, gate: ValueId, value: ValueId) {
        let width = u64::from(self.graph.width(value));
        let (first, end) = (at / 8, (at + width).div_ceil(8));
        if bytes.len() < end as usize {
            bytes.resize(end as usize, Lane::new());
        }
        for byte in first..end {
            // The bits of the header that fall into this byte, and zeros around them.
            let (from, to) = ((byte * 8).max(at), (byte * 8 + 8).min(at + width));
            let low = (at + width - to) as u32;
            let part = self.graph.slice(value, low, (to - from) as u32);
            let (before, behind) = ((from - byte * 8) as u32, (byte * 8 + 8 - to) as u32);
            let mut parts = Vec::new();
            if before > 0 {
                parts.push(self.graph.zero(before));
            }
            parts.push(part);
            if behind > 0 {
                parts.push(self.graph.zero(behind));
            }
            let lane = self.graph.join(parts);
            bytes[byte as usize].entry((before, behind)).or_default().push((gate, lane));
        }
    }
}

/// Headers that the parser does more with than to extract them.
fn touched_by_parser(pipeline: &Pipeline) -> BTreeSet<HeaderId> {
    let mut touched = BTreeSet::new();
    let Some(Body::Parser(graph)) = pipeline.blocks.first().map(|block| &block.body) else {
        return touched;
    };
    for op in graph.states.iter().flat_map(|state| &state.ops) {
        if matches!(op.kind, OpKind::Extract(_)) {
            continue;
        }
        op.kind.for_each_write(&pipeline.headers, &mut |field| {
            let header = match pipeline[field].role {
                FieldRole::Header(header) | FieldRole::Validity(header) => Some(header),
                FieldRole::Length(varbit) => match pipeline[varbit].role {
                    FieldRole::Header(header) => Some(header),
                    _ => None,
                },
                _ => None,
            };
            touched.extend(header);
        });
    }
    touched
}

/// Whether on every way through the parser these headers, once the first of them was taken, come
/// one directly behind the other in this order, and end where the parser ends.
fn lies_at_the_end(parsed: &Parsed, tail: &[HeaderId]) -> bool {
    // By step: how far into the tail ways have come, and where that ends.
    type Progress = Option<(usize, u64)>;
    let mut states: HashMap<super::parser::Step, BTreeSet<Progress>> = HashMap::new();
    if let Some((first, _, _)) = parsed.ways.first() {
        states.entry(first.clone()).or_default().insert(None);
    }
    // The ways are in an order in which each begins where all that lead there are known.
    for (from, to, taken) in &parsed.ways {
        let begun = states.get(from).cloned().unwrap_or_default();
        for state in begun {
            let mut state = state;
            for header in taken {
                let position = tail.iter().position(|h| *h == header.header);
                state = match (state, position) {
                    (None, None) => None,
                    (None, Some(n)) => Some((n, header.to)),
                    (Some((last, end)), Some(n)) if n > last && header.from == end => {
                        Some((n, header.to))
                    }
                    _ => return false,
                };
                if header.from % 8 != 0 || header.to % 8 != 0 {
                    return false;
                }
            }
            if to.state.is_none() && state.is_some_and(|(_, end)| end != to.offset) {
                return false;
            }
            states.entry(to.clone()).or_default().insert(state);
        }
    }
    true
}
