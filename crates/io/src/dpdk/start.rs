//! Starting DPDK itself, once in a process.

use super::{ffi, reason};
use std::ffi::{CString, c_char};
use std::fs;
use std::sync::{Mutex, PoisonError};

/// Bytes of free hugepages that are worth using.
const ENOUGH: u64 = 64 << 20;

/// Megabytes of ordinary memory to use in place of hugepages.
const MEGABYTES: u32 = 512;

/// Whether DPDK runs, and if not why. It cannot be started twice.
static STATE: Mutex<Option<Result<(), String>>> = Mutex::new(None);

/// Bytes in free hugepages of all sizes.
fn free_hugepages() -> u64 {
    let Ok(sizes) = fs::read_dir("/sys/kernel/mm/hugepages") else { return 0 };
    let bytes = sizes.flatten().filter_map(|size| {
        let name = size.file_name().to_string_lossy().into_owned();
        let kilobytes = name.strip_prefix("hugepages-")?.strip_suffix("kB")?.parse::<u64>().ok()?;
        let free = fs::read_to_string(size.path().join("free_hugepages")).ok()?;
        Some(kilobytes * 1024 * free.trim().parse::<u64>().ok()?)
    });
    bytes.sum()
}

/// Whether a device is on the PCI bus: `0000:01:00.0` or `01:00.0`.
fn is_pci(device: &str) -> bool {
    let name = device.split(',').next().unwrap_or(device);
    name.contains(':') && name.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, ':' | '.'))
}

/// Starts DPDK for the given devices, unless it runs already. `core` is one that this
/// thread may use; it stays where it is.
pub(crate) fn start(devices: &[&str], core: usize, notice: &dyn Fn(&str)) -> Result<(), String> {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(result) = &*state {
        return result.clone();
    }
    let mut arguments: Vec<String> =
        ["ww", "--no-telemetry", "-l"].iter().map(|word| (*word).to_owned()).collect();
    arguments.push(core.to_string());
    arguments.extend(["--log-level=*:error".into(), "--file-prefix".into()]);
    arguments.push(format!("ww{}", std::process::id()));
    let pci: Vec<_> = devices.iter().filter(|device| is_pci(device)).collect();
    if pci.is_empty() {
        arguments.push("--no-pci".into());
    }
    for device in pci {
        arguments.extend(["-a".into(), (*device).to_owned()]);
    }
    if free_hugepages() < ENOUGH {
        // Without files that others could see; with hugepages that is another option.
        let memory = ["--no-huge".into(), "-m".into(), MEGABYTES.to_string()];
        arguments.extend(memory.into_iter().chain(["--no-shconf".into()]));
        notice(
            "DPDK: no hugepages are free, so it uses ordinary memory, which is slower; \
             `echo 256 > /proc/sys/vm/nr_hugepages` makes some",
        );
    } else {
        arguments.push("--in-memory".into());
    }
    let result = initialise(arguments);
    *state = Some(result.clone());
    result
}

fn initialise(arguments: Vec<String>) -> Result<(), String> {
    let arguments: Result<Vec<CString>, _> = arguments.into_iter().map(CString::new).collect();
    let arguments = arguments.map_err(|_| "DPDK: an argument contains a zero".to_owned())?;
    let mut pointers: Vec<*mut c_char> =
        arguments.iter().map(|text| text.as_ptr().cast_mut()).collect();
    let count = pointers.len() as i32;
    pointers.push(std::ptr::null_mut());
    // SAFETY: texts that end in zeros; DPDK may put them in another order and keeps copies.
    match unsafe { ffi::ww_dpdk_init(count, pointers.as_mut_ptr()) } {
        0 => Ok(()),
        error => Err(format!("DPDK cannot start: {}", reason(error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pci_addresses() {
        assert!(is_pci("0000:01:00.0") && is_pci("01:00.1,mode=x"));
        assert!(!is_pci("net_null0") && !is_pci("net_pcap0,rx_pcap=a:b"));
    }
}
