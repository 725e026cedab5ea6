//! A program that is ready to run: its code, and what the packet's way through the switch needs.

use super::compile::{Code, Effort, Failure, compile};
use super::layout::Slot;
use super::packet::{KEEP_OWN, request};
use super::runtime::PreparedSite;
use crate::arch::{End, Ends};
use crate::interp::Options;
use std::sync::Arc;
use ww_dataplane::control::Schema;
use ww_p4::architecture::{Meaning, PathAction, Request};
use ww_p4::pipeline::passes::live_fields;
use ww_p4::pipeline::{FieldId, FieldType, Pipeline, Scope};
use ww_packet::hash::Hash;

/// Fields that switch and program share; `None` where the program's declaration lacks one, or
/// nothing uses it.
#[derive(Clone, Copy, Debug)]
pub struct Intrinsic {
    pub ingress_port: Option<Slot>,
    pub egress_spec: Option<Slot>,
    pub egress_port: Option<Slot>,
    pub instance_type: Option<Slot>,
    pub packet_length: Option<Slot>,
    pub enq_timestamp: Option<Slot>,
    pub enq_qdepth: Option<Slot>,
    pub deq_timedelta: Option<Slot>,
    pub deq_qdepth: Option<Slot>,
    pub ingress_global_timestamp: Option<Slot>,
    pub egress_global_timestamp: Option<Slot>,
    pub egress_rid: Option<Slot>,
    pub priority: Option<Slot>,
}

/// See the module's description.
pub struct Program {
    /// Machine code.
    pub code: Code,
    /// Fields that switch and program share.
    pub intrinsic: Intrinsic,
    /// The paths out of the architecture's sections.
    pub ends: Ends<Option<Slot>>,
    /// Whether no section is between the queue and the last one: what that asks for counts.
    pub asks_at_the_end: bool,
    /// Fields that do not start with zero, and fields of no block that must.
    pub initial: Vec<(Slot, u64)>,
    /// Those of them that are metadata.
    pub initial_metadata: Vec<(Slot, u64)>,
    /// Calls by number.
    pub sites: Arc<[PreparedSite]>,
    /// Limits and the seed.
    pub options: Options,
    field_lists: Vec<(u64, Vec<Slot>)>,
    keeps: Vec<Vec<Slot>>,
}

impl Program {
    /// Compiles a pipeline.
    pub fn new(
        pipeline: &Pipeline,
        schema: &Schema,
        options: Options,
        effort: Effort,
    ) -> Result<Self, Failure> {
        let live = live_fields(pipeline);
        let code = compile(pipeline, schema, &live, options, effort)?;
        let slot = |field: FieldId| code.layout.slot(field);
        let meant = |meaning| pipeline.meaning(meaning).and_then(slot);
        let intrinsic = Intrinsic {
            ingress_port: meant(Meaning::IngressPort),
            egress_spec: meant(Meaning::OutputPort),
            egress_port: meant(Meaning::EgressPort),
            instance_type: meant(Meaning::InstanceType),
            packet_length: meant(Meaning::PacketLength),
            enq_timestamp: meant(Meaning::EnqueueTime),
            enq_qdepth: meant(Meaning::EnqueueDepth),
            deq_timedelta: meant(Meaning::QueueTime),
            deq_qdepth: meant(Meaning::DequeueDepth),
            ingress_global_timestamp: meant(Meaning::IngressTime),
            egress_global_timestamp: meant(Meaning::EgressTime),
            egress_rid: meant(Meaning::ReplicationId),
            priority: meant(Meaning::Queue),
        };
        let ends =
            Ends::of(pipeline.architecture, |name| pipeline.intrinsic_field(name).and_then(slot));
        let errors = |scopes: &[Scope]| -> Vec<(Slot, u64)> {
            let is_error = |n: &usize| {
                let field = &pipeline.fields[*n];
                field.ty == FieldType::Error && scopes.contains(&field.scope)
            };
            (0..pipeline.fields.len())
                .filter(is_error)
                .filter_map(|n| slot(FieldId(n as u32)))
                .map(|slot| (slot, u64::from(pipeline.no_error)))
                .collect()
        };
        let metadata = [Scope::Metadata, Scope::Intrinsic];
        let set = pipeline.no_error != 0;
        let initial_metadata = if set { errors(&metadata) } else { Vec::new() };
        let mut initial = if set { errors(&[Scope::Headers]) } else { Vec::new() };
        initial.extend(&initial_metadata);
        initial.extend(slot(pipeline.parser_error).map(|s| (s, u64::from(pipeline.no_error))));
        let slots = |fields: &[FieldId]| fields.iter().filter_map(|f| slot(*f)).collect();
        let prepare = |site: &super::compile::Site| PreparedSite {
            hash: Hash::by_name(&site.algorithm)
                .filter(|_| !site.algorithm.ends_with("_custom") && site.algorithm != "random"),
            site: site.clone(),
        };
        Ok(Self {
            intrinsic,
            ends,
            asks_at_the_end: pipeline.architecture.sections.egress.is_empty(),
            initial,
            initial_metadata,
            sites: code.sites.iter().map(prepare).collect(),
            options,
            field_lists: pipeline.field_lists.iter().map(|(n, f)| (*n, slots(f))).collect(),
            keeps: code.keeps.iter().map(|f| slots(f)).collect(),
            code,
        })
    }

    /// Whether a packet at the end of the first section needs more than to be dropped or queued.
    pub fn is_special(&self, requests: u32, get: impl Fn(Option<Slot>) -> u64) -> bool {
        self.ends.front.iter().any(|end| {
            let plain = matches!(end.action, PathAction::Drop | PathAction::Enqueue);
            !plain && end.takes(|request| requests & asked(request) != 0, &get)
        })
    }

    /// Whether paths drop a packet that asks for nothing.
    pub fn drops(ends: &[End<Option<Slot>>], get: impl Fn(Option<Slot>) -> u64) -> bool {
        ends.iter().any(|end| end.action == PathAction::Drop && end.takes(|_| false, &get))
    }

    /// The fields that a copy keeps, by what native code left in the packet's head.
    pub fn kept(&self, keep: u64) -> &[Slot] {
        let found = if keep & KEEP_OWN != 0 {
            self.keeps.get((keep & !KEEP_OWN) as usize)
        } else {
            self.field_lists.iter().find(|(n, _)| *n == keep).map(|(_, slots)| slots)
        };
        found.map(Vec::as_slice).unwrap_or_default()
    }
}

/// The bit of a request in a packet's head.
pub fn asked(what: Request) -> u32 {
    match what {
        Request::Clone => request::CLONE,
        Request::Resubmit => request::RESUBMIT,
        Request::Recirculate => request::RECIRCULATE,
        Request::Truncate => request::TRUNCATE,
    }
}
