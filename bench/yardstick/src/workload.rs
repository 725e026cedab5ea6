//! Reads what bench/workload.py writes: entries and captures.

use crate::switch::{NextHop, Switch, Tag};
use crate::tables::{ACL_KEY, AccessList, Routes, Station, Stations, station_key};
use std::collections::HashMap;
use std::error::Error;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn mac(text: &str) -> Result<u64> {
    let bytes = text
        .split(':')
        .try_fold(0, |all, byte| u64::from_str_radix(byte, 16).map(|byte| all << 8 | byte))?;
    Ok(bytes)
}

fn number(text: &str) -> Result<u64> {
    Ok(match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16)?,
        None => text.parse()?,
    })
}

fn address(text: &str) -> Result<u32> {
    Ok(u32::from(text.parse::<std::net::Ipv4Addr>()?))
}

/// Value and mask of a ternary key of `width` bytes.
fn ternary(
    text: &str,
    width: usize,
    to: &mut ([u8; ACL_KEY], [u8; ACL_KEY]),
    at: usize,
) -> Result<()> {
    let (value, mask) = text.split_once("&&&").ok_or("expected V&&&MASK")?;
    let bytes = |text| number(text).map(u64::to_be_bytes);
    to.0[at..at + width].copy_from_slice(&bytes(value)?[8 - width..]);
    to.1[at..at + width].copy_from_slice(&bytes(mask)?[8 - width..]);
    Ok(())
}

/// A switch with the entries of a file.
pub fn switch(text: &str) -> Result<Switch> {
    let mut switch = Switch::default();
    let mut stations: HashMap<u64, Station> = HashMap::new();
    let mut routes = Vec::new();
    let mut rules = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
        let [command, table, action, rest @ ..] = words.as_slice() else { continue };
        if *command != "table_add" {
            return Err(format!("`{command}` is nothing that this program has").into());
        }
        let arrow = rest.iter().position(|word| *word == "=>").ok_or("no `=>`")?;
        let (keys, arguments) = (&rest[..arrow], &rest[arrow + 1..]);
        match (table.rsplit('.').next().unwrap_or(table), keys, arguments) {
            ("port_config", [port], [vid]) => {
                switch.port_vlan[number(port)? as usize] = number(vid)? as u16;
            }
            ("vlan_ingress", [port, vid], []) => switch.admit(number(port)?, number(vid)?),
            ("vlan_egress", [port, vid], []) => {
                let tag = if *action == "tagged" { Tag::Tagged } else { Tag::Untagged };
                switch.release(number(port)?, number(vid)?, tag);
            }
            ("router_mac" | "smac" | "dmac", [vid, address], arguments) => {
                let key = station_key(number(vid)? as u16, mac(address)?);
                let station = stations.entry(key).or_insert(Station::UNKNOWN);
                match (table.rsplit('.').next(), arguments) {
                    (Some("smac"), [port]) => station.source = number(port)? as u16,
                    (Some("dmac"), [port]) => station.destination = number(port)? as u16,
                    _ => station.router = true,
                }
            }
            ("nexthop", [id], [port, vid, source, destination]) => {
                let mut macs = [0; 12];
                macs[..6].copy_from_slice(&mac(destination)?.to_be_bytes()[2..]);
                macs[6..].copy_from_slice(&mac(source)?.to_be_bytes()[2..]);
                let hop = NextHop { port: number(port)? as u16, vid: number(vid)? as u16, macs };
                switch.next_hops[number(id)? as usize] = Some(hop);
            }
            ("ipv4_lpm", [prefix], [hop]) => {
                let (net, length) = prefix.split_once('/').ok_or("no prefix length")?;
                routes.push((address(net)?, length.parse()?, number(hop)? as u16));
            }
            ("acl_ipv4", [port, source, destination, protocol, from, to], [priority]) => {
                let mut rule = Default::default();
                for (text, width, at) in [
                    (port, 2, 0),
                    (source, 4, 2),
                    (destination, 4, 6),
                    (protocol, 1, 10),
                    (from, 2, 11),
                    (to, 2, 13),
                ] {
                    ternary(text, width, &mut rule, at)?;
                }
                rules.push((number(priority)?, rule, *action == "deny"));
            }
            _ => return Err(format!("`{line}` is nothing that this program has").into()),
        }
    }
    rules.sort_by_key(|rule| rule.0);
    switch.denies = rules.iter().map(|rule| rule.2).collect();
    let rules: Vec<_> = rules.into_iter().map(|rule| rule.1).collect();
    switch.load(Stations::new(&stations), Routes::new(routes), AccessList::new(&rules));
    Ok(switch)
}

/// The frames of captures (little-endian pcap, microseconds) by timestamp, then by port.
pub fn frames(captures: &[(u16, String)]) -> Result<Vec<(u16, Vec<u8>)>> {
    let mut all = Vec::new();
    for (port, path) in captures {
        let data = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let word = |at: usize| -> Result<u32> {
            let bytes = data.get(at..at + 4).ok_or_else(|| format!("{path}: is cut off"))?;
            Ok(u32::from_le_bytes(bytes.try_into()?))
        };
        if word(0)? != 0xa1b2_c3d4 {
            return Err(format!("{path}: not a little-endian pcap file with microseconds").into());
        }
        let mut at = 24;
        while at < data.len() {
            let time = u64::from(word(at)?) * 1_000_000 + u64::from(word(at + 4)?);
            let length = word(at + 8)? as usize;
            let frame = data.get(at + 16..at + 16 + length).ok_or("a packet is cut off")?;
            all.push((time, *port, frame.to_vec()));
            at += 16 + length;
        }
    }
    all.sort_by_key(|&(time, port, _)| (time, port));
    Ok(all.into_iter().map(|(_, port, frame)| (port, frame)).collect())
}
