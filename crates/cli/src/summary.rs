//! The counters at the end of a run, for people.

use crate::output::counted;
use std::fmt::Write;
use ww_dataplane::PortId;
use ww_dataplane::control::CounterValue;
use ww_dataplane::queues::PortReport;
use ww_io::world::Output;
use ww_runtime::summary::Summary;

/// All counters.
pub fn text(summary: &Summary) -> String {
    let mut out = String::new();
    let specs: Vec<_> = summary.world.ports.iter().map(|p| p.spec.chars().count()).collect();
    let width = specs.into_iter().max().unwrap_or(0).clamp(4, 48);
    let _ = writeln!(
        out,
        "{:>5}  {:<width$} {:>12} {:>14} {:>12} {:>14}",
        "port", "spec", "rx packets", "rx bytes", "tx packets", "tx bytes"
    );
    for port in &summary.world.ports {
        let _ = writeln!(
            out,
            "{:>5}  {:<width$} {:>12} {:>14} {:>12} {:>14}",
            port.port, port.spec, port.rx.packets, port.rx.bytes, port.tx.packets, port.tx.bytes
        );
        for (what, count) in [
            ("received and dropped by the kernel", port.rx_drops),
            ("received and unusable", port.rx_errors),
            ("received with bytes missing", port.rx_truncated),
            ("not sent: interface down or queue full", port.tx_drops),
            ("not sent: refused by the interface", port.tx_errors),
            ("times opened again", port.reopened),
        ] {
            if count > 0 {
                let _ = writeln!(out, "       {count} {what}");
            }
        }
        if let Some(Output { hash, sum }) = port.output
            && port.tx.packets > 0
        {
            let _ = writeln!(out, "       output hash {hash:016x}, sum {sum:016x}");
        }
    }
    if summary.world.workers.len() > 1 {
        for (index, worker) in summary.world.workers.iter().enumerate() {
            let core = worker.core.map_or("unpinned".to_owned(), |core| format!("core {core}"));
            let packets = counted(worker.rx.packets, "packet");
            let _ = writeln!(out, "worker {index} ({core}): {packets}");
        }
    }
    for (port, report) in &summary.queues.ports {
        queues(&mut out, *port, report);
    }
    if summary.queues.beyond > 0 {
        let packets = counted(summary.queues.beyond, "packet");
        let _ = writeln!(out, "{packets} dropped: for more ports than can have queues");
    }
    if summary.world.unattached.packets > 0 {
        let packets = counted(summary.world.unattached.packets, "packet");
        let _ = writeln!(out, "{packets} left by ports that are not attached");
    }
    for (reason, count) in &summary.engine.dropped {
        let _ = writeln!(out, "{} dropped: {reason}", counted(*count, "packet"));
    }
    if summary.engine.parser_rejects > 0 {
        let packets = counted(summary.engine.parser_rejects, "packet");
        let _ = writeln!(out, "{packets} rejected by the parser (and passed on to ingress)");
    }
    let tpps: Vec<String> =
        summary.tpps().map(|(name, count)| format!("{count} {}", name.replace('_', " "))).collect();
    if !tpps.is_empty() {
        let _ = writeln!(out, "TPPs: {}", tpps.join(", "));
    }
    if summary.digests > 0 || summary.engine.digests_lost > 0 {
        let (waiting, lost) = (summary.digests as u64, summary.engine.digests_lost);
        let _ = writeln!(out, "{} nobody fetched, {lost} lost", counted(waiting, "digest"));
    }
    for (name, cell, CounterValue { packets, bytes }) in &summary.program {
        let (packets, bytes) = (counted(*packets, "packet"), counted(*bytes, "byte"));
        let _ = writeln!(out, "counter {name}[{cell}]: {packets}, {bytes}");
    }
    out
}

/// The queues of a port, for people.
fn queues(out: &mut String, port: PortId, report: &PortReport) {
    let sent = counted(report.sent, "packet");
    let _ = writeln!(out, "queues of port {port}: {} b/s, {sent} sent", report.rate);
    let lateness = &report.lateness;
    if lateness.sum > 0 {
        let _ = writeln!(
            out,
            "       lateness: mean {} ns, p99 below {} ns, maximum {} ns",
            lateness.sum / lateness.count.max(1) / 1000,
            lateness.percentile(99) + 1,
            lateness.longest / 1000,
        );
    }
    for (name, flow) in &report.flows {
        let mean = flow.waited / flow.packets.max(1);
        let _ = write!(
            out,
            "       {name}: {}, waited {} ns on average and {} ns at most, {} at a time",
            counted(flow.packets, "packet"),
            mean / 1000,
            flow.longest / 1000,
            counted(flow.most_packets, "packet"),
        );
        if flow.marked > 0 {
            let _ = write!(out, ", {} marked", flow.marked);
        }
        for (reason, count) in &flow.dropped {
            let _ = write!(out, ", {count} dropped: {}", reason.words());
        }
        out.push('\n');
    }
}
