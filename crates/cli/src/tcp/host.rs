//! `ww tcp host`: a host on a port.

use super::{built_for, window_scale};
use crate::Failure;
use crate::output::print;
use crate::tcp_args::{EngineName, HostArguments};
use serde_json::Value;
use std::collections::HashSet;
use std::time::Duration;
use ww_io::spec::parse_ports;
use ww_packet::ethernet::MacAddress;
use ww_rtl::ddr4::{AddressMap, Technology};
use ww_rtl::toe::{HardwareEndpoint, HostShape};
use ww_runtime::signals;
use ww_runtime::tcp_host::{Plan, run};
use ww_tcp::engine::Engine;
use ww_tcp::settings::{Behaviour, Ecn, KeepAlive, MILLISECOND, SECOND, Settings};

/// Half-open connections of a port beyond which SYNs get cookies, unless there are fewer sessions.
const BACKLOG: usize = 128;

/// Runs the host and prints its report.
pub fn host(arguments: &HostArguments) -> Result<(), Failure> {
    let plan = plan(arguments)?;
    let settings = settings(arguments)?;
    let ports = parse_ports([format!("0={}", arguments.port)])
        .map_err(|error| Failure::Usage(error.to_string().replace("port `0=", "--port `")))?;
    let [port] = <[_; 1]>::try_from(ports).map_err(|_| Failure::Usage("--port: one".into()))?;
    let (stop, _signals) = signals::stop()?;
    let ready = || {
        print("ready\n")
            .map_err(|failure| ww_runtime::error::Error::Failed(failure.message().into_owned()))
    };
    let report = match arguments.engine {
        EngineName::Model => run(&plan, Engine::new(settings), port, &stop, ready)?,
        EngineName::Rtl => run(&plan, hardware(settings)?, port, &stop, ready)?,
    };
    if arguments.json {
        return print(&format!("{report}\n"));
    }
    print(&text(&report))
}

fn plan(arguments: &HostArguments) -> Result<Plan, Failure> {
    let mut places = HashSet::new();
    for listen in &arguments.listen {
        if !places.insert((listen.protocol, listen.port)) {
            let message = format!("--listen: port {} is listened to twice", listen.port);
            return Err(Failure::Usage(message));
        }
    }
    let duration = match arguments.seconds {
        None => None,
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|duration| !duration.is_zero() && *duration < Duration::from_secs(1 << 32))
                .ok_or_else(|| {
                    Failure::Usage(format!("--seconds: expected a time above 0, found {seconds}"))
                })?,
        ),
    };
    let listen = arguments
        .listen
        .iter()
        .map(|listen| (listen.protocol, listen.port, listen.application))
        .collect();
    let connect =
        arguments.connect.iter().map(|connect| (connect.peer, connect.application)).collect();
    Ok(Plan { listen, connect, duration })
}

fn settings(arguments: &HostArguments) -> Result<Settings, Failure> {
    let in_hardware = arguments.engine == EngineName::Rtl;
    let asked = arguments.sessions as usize;
    let sessions = if in_hardware { built_for(asked)? as usize } else { asked };
    let keep_alive = arguments
        .keep_alive
        .map(|seconds| KeepAlive { idle: u64::from(seconds) * SECOND, ..KeepAlive::default() });
    let tcp = Behaviour {
        window_scale: Some(window_scale(arguments.window_scale, sessions)?),
        timestamps: arguments.timestamps,
        ecn: if arguments.ecn { Ecn::Request } else { Ecn::Off },
        keep_alive,
        rto_min: u64::from(arguments.rto_min) * MILLISECOND,
        ..Behaviour::default()
    };
    Ok(Settings {
        mac: MacAddress(arguments.mac.0),
        ip: arguments.ip.ip,
        prefix: arguments.ip.prefix,
        gateway: arguments.gateway,
        sessions,
        backlog: BACKLOG.min(sessions.div_ceil(2)),
        seed: arguments.seed,
        scan: !arguments.no_scan,
        tcp,
    })
}

/// The hardware, built if it is not there.
fn hardware(settings: Settings) -> Result<HardwareEndpoint, Failure> {
    let memory = Technology::Ddr4(AddressMap::default());
    HardwareEndpoint::new(HostShape::of(settings.sessions as u32, memory), settings)
        .map_err(|error| Failure::Rejected(error.to_string()))
}

/// The report for people.
fn text(report: &Value) -> String {
    let counts = |name: &str| {
        let Some(counts) = report[name].as_object().filter(|counts| !counts.is_empty()) else {
            return "none".to_owned();
        };
        let parts: Vec<String> =
            counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
        parts.join(", ")
    };
    format!(
        "frames in {}, out {}\naccepted: {}\ndropped: {}\nconnections: {} opened, {} closed, {} open\nsegments sent \
         again: {}\n",
        report["frames_in"],
        report["frames_out"],
        counts("accepted"),
        counts("dropped"),
        report["opened"],
        report["closed"],
        report["open"],
        report["retransmitted"],
    )
}
