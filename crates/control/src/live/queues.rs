//! Statistics of output queues as JSON: in the summary of a run, and on the control socket.

use serde_json::{Map, Value, json};
use ww_dataplane::PortId;
use ww_dataplane::queues::PortReport;

/// The queues of a port, for programs. Times in nanoseconds.
pub fn port_queues((port, report): &(PortId, PortReport)) -> Value {
    let flows = report.flows.iter().map(|(name, flow)| {
        let dropped: Map<String, Value> = flow
            .dropped
            .iter()
            .map(|(reason, count)| (reason.word().to_owned(), (*count).into()))
            .collect();
        json!({
            "flow": name,
            "packets": flow.packets,
            "bytes": flow.bytes,
            "marked": flow.marked,
            "dropped": dropped,
            "most_packets": flow.most_packets,
            "most_bytes": flow.most_bytes,
            "mean_wait_ns": flow.waited as f64 / 1000.0 / flow.packets.max(1) as f64,
            "longest_wait_ns": flow.longest as f64 / 1000.0,
        })
    });
    json!({
        "port": port,
        "rate": report.rate,
        "sent": report.sent,
        "sent_bytes": report.sent_bytes,
        "busy_ns": report.used as f64 / 1000.0,
        "mean_late_ns": report.lateness.sum as f64 / 1000.0 / report.lateness.count.max(1) as f64,
        "p99_late_ns": report.lateness.percentile(99),
        "longest_late_ns": report.lateness.longest as f64 / 1000.0,
        "flows": flows.collect::<Vec<Value>>(),
    })
}
