//! Commands between backticks: none is run, those that set what Linux calls sysctls are carried out.

use super::Problem;
use crate::settings::{Behaviour, Ecn, MILLISECOND, SECOND};

/// Sysctls that change nothing here: our buffers, metrics and routes are what they are.
const WITHOUT_EFFECT: &[&str] = &[
    "tcp_no_metrics_save",
    "tcp_moderate_rcvbuf",
    "tcp_autocorking",
    "tcp_min_tso_segs",
    "tcp_tso_rtt_log",
    "tcp_invalid_ratelimit",
    "tcp_challenge_ack_limit",
    "tcp_mtu_probing",
    "tcp_max_orphans",
    "tcp_max_syn_backlog",
    "tcp_available_congestion_control",
    "tcp_allowed_congestion_control",
    "tcp_reflect_tos",
    "tcp_fastopen",
    "tcp_fastopen_blackhole_detection_timeout",
    "tcp_l3mdev_accept",
    "tcp_rfc1337",
    "tcp_fwmark_accept",
    "tcp_comp_sack_nr",
    "tcp_comp_sack_delay_ns",
    "tcp_comp_sack_slack_ns",
    "tcp_plb_enabled",
    "tcp_migrate_req",
    "ip_local_port_range",
    "ip_no_pmtu_disc",
];

/// Carries out a command.
pub(super) fn carry_out(
    line: usize,
    command: &str,
    defaults: &Behaviour,
    tcp: &mut Behaviour,
) -> Result<(), Problem> {
    for part in command.split(['\n', ';']) {
        for part in part.split("&&") {
            let words: Vec<&str> = part.split_whitespace().collect();
            if let Some((program, arguments)) = words.split_first() {
                one(line, program, arguments, defaults, tcp)?;
            }
        }
    }
    Ok(())
}

fn one(
    line: usize,
    program: &str,
    arguments: &[&str],
    defaults: &Behaviour,
    tcp: &mut Behaviour,
) -> Result<(), Problem> {
    let file = program.rsplit('/').next().unwrap_or(program);
    match file {
        "defaults.sh" => {
            *tcp = *defaults;
            Ok(())
        }
        "sysctl" => {
            let mut assignments = Vec::new();
            for argument in arguments {
                match *argument {
                    "-q" | "-w" | "-qw" | "-wq" | "-e" => {}
                    other => assignments.push(other),
                }
            }
            assignments.iter().try_for_each(|assignment| {
                let (name, value) = split(line, assignment)?;
                let name =
                    name.strip_prefix("net.ipv4.").ok_or_else(|| unknown(line, assignment))?;
                set(line, name, value, tcp)
            })
        }
        "set_sysctls.py" => arguments.iter().try_for_each(|assignment| {
            let (path, value) = split(line, assignment)?;
            let name = path
                .strip_prefix("/proc/sys/net/ipv4/")
                .ok_or_else(|| unknown(line, assignment))?;
            set(line, name, value, tcp)
        }),
        "true" | ":" | "sleep" => Ok(()),
        _ => {
            let what = format!("command `{program}`: only sysctl, set_sysctls.py and defaults.sh");
            Err(Problem::Unsupported { line, what })
        }
    }
}

fn split(line: usize, assignment: &str) -> Result<(&str, &str), Problem> {
    assignment
        .split_once('=')
        .map(|(name, value)| (name.trim(), value.trim_matches('"')))
        .ok_or_else(|| Problem::Broken {
            line,
            problem: format!("expected NAME=VALUE, found `{assignment}`"),
        })
}

fn unknown(line: usize, what: &str) -> Problem {
    Problem::Unsupported { line, what: format!("sysctl `{what}`") }
}

fn set(line: usize, name: &str, value: &str, tcp: &mut Behaviour) -> Result<(), Problem> {
    let number = || {
        value.parse::<u64>().ok().filter(|number| *number < 1 << 31).ok_or_else(|| {
            Problem::Broken {
                line,
                problem: format!("{name}: expected a number below 2^31, found `{value}`"),
            }
        })
    };
    match name {
        "tcp_timestamps" => tcp.timestamps = number()? != 0,
        "tcp_sack" => tcp.sack = number()? != 0,
        "tcp_window_scaling" => {
            tcp.window_scale = if number()? != 0 { tcp.window_scale.or(Some(8)) } else { None };
        }
        "tcp_early_retrans" => tcp.tail_loss_probe = number()? != 0,
        "tcp_ecn" => {
            tcp.ecn = match number()? {
                0 => Ecn::Off,
                1 => Ecn::Request,
                2 => Ecn::Accept,
                _ => return Err(unknown(line, &format!("{name}={value}"))),
            }
        }
        "tcp_frto" => tcp.forward_rto = number()? != 0,
        "tcp_slow_start_after_idle" => tcp.slow_start_after_idle = number()? != 0,
        "tcp_syn_retries" | "tcp_synack_retries" => {
            tcp.syn_retries = number()?.min(255) as u8;
        }
        "tcp_syn_linear_timeouts" => tcp.syn_linear = number()?.min(127) as u8,
        "tcp_retries2" => tcp.retries = number()?.min(255) as u8,
        "tcp_fin_timeout" => tcp.time_wait = number()? * SECOND,
        "tcp_rto_min_us" => tcp.rto_min = (number()? * 1_000).max(MILLISECOND),
        // Without reordering the threshold is 3; RACK learns the rest.
        "tcp_reordering" if value == "3" => {}
        "tcp_recovery" if value == "1" => {}
        "tcp_dsack" if value == "1" => {}
        "tcp_ecn_fallback" | "tcp_retries1" | "tcp_orphan_retries" | "tcp_tw_reuse" => {}
        "tcp_congestion_control" if value == "reno" => {}
        "tcp_syncookies" if value == "1" => {}
        "tcp_adv_win_scale" if value == "1" => {}
        "tcp_rmem" | "tcp_wmem" => {}
        _ if WITHOUT_EFFECT.contains(&name) => {}
        _ => return Err(unknown(line, &format!("{name}={value}"))),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sysctls_are_set() {
        let defaults = Behaviour { timestamps: true, ..Behaviour::default() };
        let mut tcp = defaults;
        let mut run = |command: &str| carry_out(3, command, &defaults, &mut tcp).map(|()| tcp);
        let after = run("sysctl -q net.ipv4.tcp_timestamps=0 net.ipv4.tcp_ecn=1").unwrap();
        assert!(!after.timestamps && after.ecn == Ecn::Request);
        let after = run("./set_sysctls.py /proc/sys/net/ipv4/tcp_sack=0\n").unwrap();
        assert!(!after.sack);
        assert_eq!(run("../common/defaults.sh").unwrap(), defaults);
        assert!(matches!(run("tc qdisc add"), Err(Problem::Unsupported { line: 3, .. })));
        assert!(matches!(run("sysctl -q net.ipv4.tcp_x=1"), Err(Problem::Unsupported { .. })));
        assert!(matches!(run("sysctl -q net.ipv4.tcp_sack"), Err(Problem::Broken { .. })));
    }
}
