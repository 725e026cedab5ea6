//! The function that is being made: memory access, constants, calls of the runtime.

use super::effort::Effort;
use super::plan::Plan;
use crate::jit::abi::Context;
use crate::jit::layout::{Layout, Slot, WORD, words};
use crate::jit::packet::{PacketHead, status};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, AliasRegion, AliasRegionData, Block, InstBuilder, MemFlagsData, SigRef, Signature,
    Type, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use std::collections::HashMap;
use std::mem::offset_of;
use ww_dataplane::DropReason;
use ww_p4::pipeline::{FieldId, HeaderId, Pipeline};

/// A value of any width: words of 64 bits, the lowest first. Bits above the width are zero.
pub type Words = Vec<Value>;

/// Values of fields that the code at hand has already loaded or stored. They hold in every block
/// that can only be reached through places where they hold.
pub type Known = HashMap<FieldId, Words>;

/// What kind of memory an access is to; different kinds never overlap.
#[derive(Clone, Copy, Debug)]
pub enum Memory {
    /// Head and fields of a packet.
    Packet,
    /// The bytes of the frame, and what the deparser writes.
    Frame,
    /// Tables, records and the batch's context.
    Tables,
    /// Counters.
    Counters,
}

/// A function being made.
pub struct Emitter<'f, 'p> {
    /// Cranelift's builder.
    pub b: FunctionBuilder<'f>,
    /// The program.
    pub pipeline: &'p Pipeline,
    /// Where fields are.
    pub layout: &'p Layout,
    /// What the runtime has to know about the calls that are made.
    pub plan: &'p mut Plan,
    /// Address of the packet's memory.
    pub memory: Value,
    /// Address of the batch's context.
    pub context: Value,
    /// Address of the packet's bytes.
    pub bytes: Value,
    /// The packet's length in bytes.
    pub length: Value,
    /// Address of the table views.
    pub tables: Value,
    /// Fields whose values are at hand here.
    pub known: Known,
    /// Whether the checksum verification is being made.
    pub verifying: bool,
    /// Whether this is egress or behind it.
    pub behind_ingress: bool,
    /// Where packets go on that waited for memory, if they may: [`PacketHead::resume`] counts
    /// from 1.
    pub resumes: Option<Vec<Block>>,
    effort: Effort,
    regions: [AliasRegion; 4],
    signatures: HashMap<(usize, Option<Type>), SigRef>,
    convention: CallConv,
    losses: Vec<(DropReason, Block)>,
}

impl<'f, 'p> Emitter<'f, 'p> {
    /// Begins a function of a packet and a context.
    pub fn new(
        mut b: FunctionBuilder<'f>,
        pipeline: &'p Pipeline,
        layout: &'p Layout,
        plan: &'p mut Plan,
        convention: CallConv,
        effort: Effort,
    ) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let (memory, context) = (b.block_params(entry)[0], b.block_params(entry)[1]);
        let regions = [0, 1, 2, 3].map(|user_id| {
            let description = ["packet", "frame", "tables", "counters"][user_id].into();
            let user_id = user_id as u32;
            b.func.dfg.alias_regions.insert(AliasRegionData { user_id, description })
        });
        let null = b.ins().iconst(types::I64, 0);
        let mut emitter = Self {
            b,
            bytes: null,
            length: null,
            tables: null,
            known: Known::new(),
            pipeline,
            layout,
            plan,
            memory,
            context,
            verifying: false,
            behind_ingress: false,
            resumes: None,
            effort,
            regions,
            signatures: HashMap::new(),
            convention,
            losses: Vec::new(),
        };
        emitter.bytes = emitter.head(offset_of!(PacketHead, bytes));
        emitter.length = emitter.head(offset_of!(PacketHead, length));
        emitter.tables = emitter.load(Memory::Tables, context, offset_of!(Context, tables));
        emitter
    }

    /// Instructions that were made so far.
    pub fn instructions(&self) -> usize {
        self.b.func.dfg.num_insts()
    }

    /// Whether the function has more instructions than it may have: then nothing is compiled, and
    /// makers of long lists stop, with the blocks that they have begun ended.
    pub fn is_full(&self) -> bool {
        self.instructions() > self.effort.instructions()
    }

    /// Notes the value of a field.
    fn know(&mut self, field: FieldId, value: Words) {
        if self.known.len() >= self.effort.known_fields() {
            self.known.clear();
        }
        self.known.insert(field, value);
    }

    /// The signature of a function of so many words.
    pub fn signature(&mut self, parameters: usize, returns: Option<Type>) -> SigRef {
        if let Some(known) = self.signatures.get(&(parameters, returns)) {
            return *known;
        }
        let mut signature = Signature::new(self.convention);
        signature.params = vec![AbiParam::new(types::I64); parameters];
        signature.returns.extend(returns.map(AbiParam::new));
        let signature = self.b.import_signature(signature);
        self.signatures.insert((parameters, returns), signature);
        signature
    }

    /// Calls a function of the runtime that gives a word.
    pub fn call(&mut self, function: *const u8, arguments: &[Value]) -> Value {
        let signature = self.signature(arguments.len(), Some(types::I64));
        let address = self.word(function as u64);
        let call = self.b.ins().call_indirect(signature, address, arguments);
        self.b.inst_results(call)[0]
    }

    /// Calls a function of the runtime that gives nothing.
    pub fn run(&mut self, function: *const u8, arguments: &[Value]) {
        let signature = self.signature(arguments.len(), None);
        let address = self.word(function as u64);
        self.b.ins().call_indirect(signature, address, arguments);
    }

    /// A constant.
    pub fn word(&mut self, value: u64) -> Value {
        self.b.ins().iconst(types::I64, value as i64)
    }

    fn flags(&self, memory: Memory) -> MemFlagsData {
        MemFlagsData::trusted().with_alias_region(Some(self.regions[memory as usize]))
    }

    /// Flags for memory at any address.
    fn unaligned(&self, memory: Memory) -> MemFlagsData {
        MemFlagsData::new().with_notrap().with_alias_region(Some(self.regions[memory as usize]))
    }

    /// Loads a word.
    pub fn load(&mut self, memory: Memory, base: Value, offset: usize) -> Value {
        let flags = self.flags(memory);
        self.b.ins().load(types::I64, flags, base, offset as i32)
    }

    /// Loads 1, 2, 4 or 8 bytes.
    pub fn load_sized(
        &mut self,
        memory: Memory,
        base: Value,
        offset: usize,
        bytes: usize,
    ) -> Value {
        let flags = self.unaligned(memory);
        let offset = offset as i32;
        match bytes {
            1 => self.b.ins().uload8(types::I64, flags, base, offset),
            2 => self.b.ins().uload16(types::I64, flags, base, offset),
            4 => self.b.ins().uload32(flags, base, offset),
            _ => self.b.ins().load(types::I64, flags, base, offset),
        }
    }

    /// Stores the low 1, 2, 4 or 8 bytes of a word.
    pub fn store_sized(
        &mut self,
        memory: Memory,
        base: Value,
        offset: usize,
        bytes: usize,
        value: Value,
    ) {
        let flags = self.unaligned(memory);
        let offset = offset as i32;
        match bytes {
            1 => self.b.ins().istore8(flags, value, base, offset),
            2 => self.b.ins().istore16(flags, value, base, offset),
            4 => self.b.ins().istore32(flags, value, base, offset),
            _ => self.b.ins().store(flags, value, base, offset),
        };
    }

    /// Stores a vector into the packet's memory.
    pub fn store_vector(&mut self, offset: usize, value: Value) {
        let flags = self.unaligned(Memory::Packet);
        self.b.ins().store(flags, value, self.memory, offset as i32);
    }

    /// Loads a word of the packet's head.
    pub fn head(&mut self, offset: usize) -> Value {
        self.load(Memory::Packet, self.memory, offset)
    }

    /// Stores into the packet's head.
    pub fn set_head(&mut self, offset: usize, bytes: usize, value: Value) {
        self.store_sized(Memory::Packet, self.memory, offset, bytes, value);
    }

    /// The value of a field.
    pub fn field(&mut self, field: FieldId) -> Words {
        if let Some(value) = self.known.get(&field) {
            return value.clone();
        }
        let Some(slot) = self.layout.slot(field) else {
            let width = self.pipeline[field].width;
            return vec![self.word(0); words(u64::from(width))];
        };
        let value = self.read(slot);
        self.know(field, value.clone());
        value
    }

    /// The value of a field of up to 64 bits, or the low 64 bits.
    pub fn number(&mut self, field: FieldId) -> Value {
        self.field(field)[0]
    }

    fn read(&mut self, slot: Slot) -> Words {
        let memory = self.memory;
        if slot.bytes < 8 {
            let (offset, bytes) = (slot.offset as usize, slot.bytes as usize);
            return vec![self.load_sized(Memory::Packet, memory, offset, bytes)];
        }
        (0..slot.bytes as usize / 8)
            .map(|n| self.load(Memory::Packet, memory, slot.offset as usize + n * 8))
            .collect()
    }

    /// Gives a field a value that is not wider.
    pub fn set_field(&mut self, field: FieldId, value: &[Value]) {
        let Some(slot) = self.layout.slot(field) else { return };
        let memory = self.memory;
        let count = (slot.bytes as usize).div_ceil(8);
        let mut value = value.to_vec();
        if value.len() < count {
            let zero = self.word(0);
            value.resize(count, zero);
        }
        value.truncate(count);
        for (n, part) in value.iter().enumerate() {
            let bytes = slot.bytes.min(8) as usize;
            self.store_sized(Memory::Packet, memory, slot.offset as usize + n * 8, bytes, *part);
        }
        self.know(field, value);
    }

    /// Notes where in the packet the fields of a header were taken from: the bits in front of
    /// them plus one, or 0.
    pub fn set_origin(&mut self, header: HeaderId, origin: Value) {
        let offset = self.layout.origins.start + header.index() * 4;
        self.set_head(offset, 4, origin);
    }

    /// What [`set_origin`](Self::set_origin) noted.
    pub fn origin(&mut self, header: HeaderId) -> Value {
        let offset = self.layout.origins.start + header.index() * 4;
        self.load_sized(Memory::Packet, self.memory, offset, 4)
    }

    /// Gives a field the value if the condition holds.
    pub fn set_field_if(&mut self, condition: Value, field: FieldId, value: &[Value]) {
        if self.layout.slot(field).is_none() {
            return;
        }
        let old = self.field(field);
        let new = self.choose(condition, value, &old);
        self.set_field(field, &new);
    }

    /// Word by word one of two values.
    pub fn choose(&mut self, condition: Value, yes: &[Value], no: &[Value]) -> Words {
        yes.iter().zip(no).map(|(yes, no)| self.b.ins().select(condition, *yes, *no)).collect()
    }

    /// Address of a word of the scratch area.
    pub fn scratch(&mut self, word: usize) -> Value {
        let offset = (self.layout.scratch + word * 8) as i64;
        self.b.ins().iadd_imm_s(self.memory, offset)
    }

    /// Stores words into the scratch area.
    pub fn set_scratch(&mut self, word: usize, values: &[Value]) {
        for (n, value) in values.iter().enumerate() {
            let offset = self.layout.scratch + (word + n) * 8;
            self.set_head(offset, 8, *value);
        }
    }

    /// Loads words from the scratch area.
    pub fn get_scratch(&mut self, word: usize, count: usize) -> Words {
        (0..count).map(|n| self.head(self.layout.scratch + (word + n) * 8)).collect()
    }

    /// The low bits of a word.
    pub fn mask(&mut self, value: Value, width: u32) -> Value {
        if width >= WORD {
            return value;
        }
        let mask = self.word((1 << width) - 1);
        self.b.ins().band(value, mask)
    }

    /// One bit as a word.
    pub fn bit(&mut self, condition: Value) -> Value {
        if self.b.func.dfg.value_type(condition) == types::I64 {
            return condition;
        }
        self.b.ins().uextend(types::I64, condition)
    }

    /// Compares words.
    pub fn compare(&mut self, how: IntCC, left: Value, right: Value) -> Value {
        let result = self.b.ins().icmp(how, left, right);
        self.bit(result)
    }

    /// A type's null and the like.
    pub fn value_type(&self, value: Value) -> Type {
        self.b.func.dfg.value_type(value)
    }

    /// Goes on in a block in which these fields are known.
    pub fn enter(&mut self, block: Block, known: Known) {
        self.known = known;
        self.b.switch_to_block(block);
    }

    /// Ends the block by going to one of two new ones, of which the second goes on in what is
    /// made next, and the first does what `work` makes before that.
    pub fn when(&mut self, condition: Value, work: impl FnOnce(&mut Self)) {
        let (yes, after) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(condition, yes, &[], after, &[]);
        let before = self.known.clone();
        self.b.switch_to_block(yes);
        work(self);
        self.jump(after);
        let known = both(before, &self.known);
        self.enter(after, known);
    }

    /// Has one of several things done, or nothing, by the number of a block that
    /// [`dispatch`](Self::dispatch) made.
    pub fn one_of(
        &mut self,
        (targets, after): (Vec<Block>, Block),
        mut work: impl FnMut(&mut Self, usize),
    ) {
        let before = self.known.clone();
        let mut known = before.clone();
        for (n, target) in targets.into_iter().enumerate() {
            self.enter(target, before.clone());
            if !self.is_full() {
                work(self, n);
            }
            self.jump(after);
            known = both(known, &self.known);
        }
        self.enter(after, known);
    }

    /// Ends the block by going to another one.
    pub fn jump(&mut self, to: Block) {
        self.b.ins().jump(to, &[]);
    }

    /// The block that ends the function because the packet is lost.
    pub fn lost(&mut self, reason: DropReason) -> Block {
        if let Some((_, block)) = self.losses.iter().find(|(r, _)| *r == reason) {
            return *block;
        }
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        self.losses.push((reason, block));
        block
    }

    /// Makes the blocks of lost packets, and ends the function.
    pub fn finish_losses(&mut self) {
        for (reason, block) in std::mem::take(&mut self.losses) {
            self.b.switch_to_block(block);
            let position = DropReason::ALL.iter().position(|r| *r == reason).unwrap_or(0);
            self.give(status::LOST + position as u32);
        }
    }

    /// Returns from the function.
    pub fn give(&mut self, status: u32) {
        let status = self.word(u64::from(status));
        self.b.ins().return_(&[status]);
    }
}

/// What is known on both of two ways.
pub fn both(mut one: Known, other: &Known) -> Known {
    one.retain(|field, value| other.get(field) == Some(value));
    one
}
