//! How much memory a run takes, measured in a process of its own.

use ww_fabric::flows::Flow;
use ww_fabric::relay::{Rules, Settings, run};
use ww_fabric::schedule::{Order, Schedule};

/// Asks this test, in a process of its own, for a flow of so many cells.
const CELLS: &str = "WW_FABRIC_TEST_CELLS";

/// Sends the flow for 20,000 epochs of 8 slots, then says the most memory that the process had, in KiB.
fn measure(cells: u64) -> u64 {
    let schedule = Schedule::new(8, Order::Reordered, 1).unwrap();
    let settings =
        Settings { delay: 3, gate: 8, epochs: Some(20_000), ..Settings::new(Rules::Shoal) };
    let flow = Flow { id: 0, src: 0, dst: 1, cells, start: 0 };
    let outcome = run(&schedule, &settings, &[flow], 1, None).unwrap();
    assert!(outcome.last_hop_cells >= cells.min(60_000), "{}", outcome.last_hop_cells);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn measured_apart(cells: u64) -> u64 {
    let name = "relay::memory::a_flow_of_a_hundred_million_cells_takes_no_more_than_one_of_ten";
    let file = format!("{}/memory-{cells}-{}", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name])
        .env(CELLS, format!("{cells} {file}"))
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let kib = std::fs::read_to_string(&file).unwrap().parse().unwrap();
    std::fs::remove_file(&file).unwrap();
    kib
}

/// 60,000 of the cells do leave: with 8 bytes for each they would take 480 KB, and all 800 MB.
#[test]
#[cfg(target_os = "linux")]
fn a_flow_of_a_hundred_million_cells_takes_no_more_than_one_of_ten() {
    if let Ok(asked) = std::env::var(CELLS) {
        let (cells, file) = asked.split_once(' ').unwrap();
        std::fs::write(file, measure(cells.parse().unwrap()).to_string()).unwrap();
        return;
    }
    let [few, many] = [10, 100_000_000].map(measured_apart);
    assert!(few > 0 && many < few + 400, "{few} KiB for ten cells, {many} KiB for 10^8");
}
