//! The prototype as hardware, `ww_shoal_prototype` in `rtl/shoal`: what it does, and which options ask for something else.

pub mod rows;

use crate::configuration::{Options, Profile, Rules};
use crate::flows::Flows;
use crate::offsets::Offsets;
use crate::relay;
use crate::schedule::{BadFabric, Order};

/// Its hosts.
pub const HOSTS: usize = 8;
/// Its leaf switches.
pub const LEAVES: usize = 4;
/// Channels of a host.
pub const CHANNELS: usize = 1;
/// A clock of 156.25 MHz in picoseconds.
pub const CLOCK_PS: u64 = 6_400;
/// Clocks of the guard band at the begin of a slot; a host may be late by as many.
pub const GUARD_CLOCKS: i8 = 1;
/// The length of a slot in picoseconds: 12 clocks.
pub const SLOT_PS: u64 = 12 * CLOCK_PS;
/// From the begin of a cell's slot until it may leave the next host, in picoseconds: as published.
pub const DELAY_PS: u64 = 1_576_000;
/// The same in slots, k.
pub const DELAY_SLOTS: u64 = DELAY_PS.div_ceil(SLOT_PS);
/// Slots of an epoch, P, and of a step of age by which cells of young flows are held back.
pub const EPOCH_SLOTS: u64 = 7;
/// The fewest hosts that a schedule may be for which takes the place of the first.
pub const LEAST_HOSTS: usize = 3;
/// Bits of a cell's number in its header.
pub const SEQ_BITS: u32 = 20;

/// Whether the hardware does what is asked for, with such slot clocks of hosts.
///
/// # Errors
/// It does not; the message names the option to change.
pub fn check(options: &Options, offsets: &Offsets) -> Result<(), BadFabric> {
    // All are named: an option more has to be thought of here.
    let &Options {
        rules,
        profile,
        hosts,
        order,
        channels,
        leaves,
        slot_ps,
        delay_ps,
        epochs,
        warmup: _,
        finish: _,
        gate,
        fail,
        workers,
        // Other rules have them, and only those.
        rotors: _,
        flip,
        flip_seed: _,
        ref kills,
        // There are none without deaths.
        revivals: _,
        repair,
        // What the offsets say of it.
        cdr_lock_ps: _,
    } = options;
    if profile != Some(Profile::Prototype) {
        return Err(BadFabric(
            "expected --profile prototype with --engine rtl, as no other fabric is there as hardware; add it or choose \
             --engine model"
                .into(),
        ));
    }
    if !offsets.are_in_guard() {
        let why =
            "as the cells of a host that is early, or later than the guard band allows, are cut";
        if epochs.is_none() {
            return Err(BadFabric(format!(
                "expected --epochs with such an --offset, {why} and flows over it never end; add it"
            )));
        }
        let failing = [("flip", flip.is_some()), ("kill", !kills.is_empty())];
        if let Some((option, _)) = failing.into_iter().find(|&(_, is_asked)| is_asked) {
            return Err(BadFabric(format!(
                "expected no --{option} with such an --offset, {why} and would count together; leave one out"
            )));
        }
    }
    let is_killed = |host: &usize| kills.iter().any(|at| at.host == *host);
    let left = (0..HOSTS).filter(|host| !is_killed(host)).count();
    if repair && left < LEAST_HOSTS {
        return Err(BadFabric(format!(
            "expected --kill to leave {LEAST_HOSTS} hosts or more with --repair and --engine rtl, as the hardware has no schedule of \
             fewer, found {left}; leave a --kill out or choose --engine model"
        )));
    }
    let shoal = Rules::Relay(relay::Rules::Shoal);
    let nanoseconds = |picoseconds: u64| format!("{}", picoseconds as f64 / 1000.0);
    let number = |found: usize| found.to_string();
    let only = [
        (
            "rules",
            rules.filter(|&rules| rules != shoal).map(|rules| rules.to_string()),
            "shoal".into(),
        ),
        ("hosts", hosts.filter(|&hosts| hosts != HOSTS).map(number), number(HOSTS)),
        (
            "order",
            order.filter(|&order| order != Order::Plain).map(|order| order.to_string()),
            Order::Plain.to_string(),
        ),
        ("channels", channels.filter(|&found| found != CHANNELS).map(number), number(CHANNELS)),
        ("leaves", leaves.filter(|&leaves| leaves != LEAVES).map(number), number(LEAVES)),
        ("slot-ns", slot_ps.filter(|&slot| slot != SLOT_PS).map(nanoseconds), nanoseconds(SLOT_PS)),
        (
            "delay-ns",
            delay_ps.filter(|&delay| delay != DELAY_PS).map(nanoseconds),
            nanoseconds(DELAY_PS),
        ),
        (
            "gate",
            gate.filter(|&gate| gate != EPOCH_SLOTS).map(|gate| gate.to_string()),
            EPOCH_SLOTS.to_string(),
        ),
        ("fail", fail.filter(|&fail| fail != 0.0).map(|fail| fail.to_string()), "0".into()),
        ("workers", workers.filter(|&workers| workers != 1).map(number), number(1)),
    ];
    for (option, found, expected) in only {
        if let Some(found) = found {
            return Err(BadFabric(format!(
                "expected --{option} {expected} with --engine rtl, as the hardware does nothing else, found {found}; leave \
                 it out or choose --engine model"
            )));
        }
    }
    Ok(())
}

/// Whether the hardware can send such flows.
///
/// # Errors
/// It cannot, as they have classes.
pub fn check_flows(flows: &Flows) -> Result<(), BadFabric> {
    match flows.classes {
        None => Ok(()),
        Some(_) => Err(BadFabric(
            "expected flows without classes with --engine rtl, as the hardware has one queue for each destination; leave \
             the column class out or choose --engine model"
                .into(),
        )),
    }
}
