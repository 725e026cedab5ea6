//! Three namespaces in a row: host `a` - `r` (where the world runs) - host `b`.

use std::io::{Read, Write};
use std::net::{IpAddr, UdpSocket};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_io::spec::parse_ports;
use ww_io::stop::Stop;
use ww_io::world::RunReport;
use ww_netns::{Namespaces, testing};

/// The namespaces of one test, removed with everything in them when dropped.
pub struct Hosts(Namespaces);

impl Hosts {
    /// Sets the namespaces up; says why and returns `None` where that cannot be.
    pub fn new() -> Option<Self> {
        let hosts = Self(testing::namespaces(&testing::name(), &["-a", "-b", "-r"])?);
        for host in ["a", "b", "r"] {
            hosts.ip(host, "link set lo up");
        }
        hosts.connect("a", "a0", "r0", 1);
        hosts.connect("b", "b0", "r1", 2);
        Some(hosts)
    }

    fn name(&self, host: &str) -> String {
        self.0.name(&format!("-{host}")).to_owned()
    }

    /// Connects a host to `r`: addresses 10.9.0.N and fd09::N.
    pub fn connect(&self, host: &str, device: &str, far: &str, number: u8) {
        let there = self.name("r");
        self.ip(host, &format!("link add {device} type veth peer name {far} netns {there}"));
        self.ip("r", &format!("link set {far} up"));
        self.ip(host, &format!("addr add 10.9.0.{number}/24 dev {device}"));
        self.ip(host, &format!("addr add fd09::{number}/64 dev {device} nodad"));
        self.ip(host, &format!("link set {device} up"));
    }

    /// Runs `ip` in a host's namespace; whether it went well.
    pub fn try_ip(&self, host: &str, arguments: &str) -> bool {
        ww_netns::output(&self.name(host), arguments).is_ok()
    }

    /// Runs `ip` in a host's namespace, which must go well.
    pub fn ip(&self, host: &str, arguments: &str) {
        ww_netns::ip(&self.name(host), arguments).unwrap();
    }

    /// What `ip` prints in a host's namespace.
    pub fn ip_output(&self, host: &str, arguments: &str) -> String {
        ww_netns::output(&self.name(host), arguments).unwrap_or_default()
    }

    /// Has the hosts compute checksums in software, as `ethtool -K DEVICE tx off` does.
    pub fn checksums_by_sender(&self) {
        for (host, device) in [("a", "a0"), ("b", "b0")] {
            self.within(host, || {
                // `ETHTOOL_STXCSUM` with the value 0.
                let mut value: [u32; 2] = [0x17, 0];
                // SAFETY: a request of zeros is valid; it points to the value it needs.
                let result = unsafe {
                    let mut request: libc::ifreq = std::mem::zeroed();
                    for (to, from) in request.ifr_name.iter_mut().zip(device.bytes()) {
                        *to = from as libc::c_char;
                    }
                    request.ifr_ifru.ifru_data = value.as_mut_ptr().cast();
                    let fd = libc::socket(libc::AF_INET, libc::SOCK_DGRAM, 0);
                    let result = libc::ioctl(fd, libc::SIOCETHTOOL as libc::Ioctl, &mut request);
                    libc::close(fd);
                    result
                };
                assert_eq!(result, 0, "{}", std::io::Error::last_os_error());
            });
        }
    }

    /// Runs `work` on a thread inside a host's namespace. What it opens stays there.
    pub fn within<T: Send>(&self, host: &str, work: impl FnOnce() -> T + Send) -> T {
        ww_netns::within(&self.name(host), || Ok(work())).unwrap()
    }

    /// One echo request over IPv4; whether the reply came within a second.
    pub fn ping(&self, host: &str, address: &str) -> bool {
        self.within(host, || {
            // SAFETY: a fresh raw ICMP socket. `UdpSocket` only lends its calls.
            let socket = unsafe {
                let fd = libc::socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP);
                assert!(fd >= 0, "{}", std::io::Error::last_os_error());
                UdpSocket::from_raw_fd(fd)
            };
            let address: IpAddr = address.parse().unwrap();
            socket.connect((address, 0)).unwrap();
            socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
            // A number of its own: a late reply to an earlier one is not the answer.
            static SENT: AtomicU16 = AtomicU16::new(0);
            let [high, low] = SENT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
            let mut request = [8, 0, 0, 0, 0x77, 0x77, high, low, b'p', b'i', b'n', b'g'];
            ww_packet::icmp::Message::new(&mut request).unwrap().fill_checksum();
            if socket.send(&request).is_err() {
                return false;
            }
            let deadline = Instant::now() + Duration::from_secs(1);
            let mut buffer = [0; 2048];
            while Instant::now() < deadline {
                let Ok(length) = socket.recv(&mut buffer) else { continue };
                let packet = ww_packet::ipv4::Packet::new(&buffer[..length]).unwrap();
                let reply = ww_packet::icmp::Message::new(packet.payload()).unwrap();
                if reply.kind() == 0
                    && reply.rest_of_header() == u32::from_be_bytes([0x77, 0x77, high, low])
                {
                    return reply.checksum_valid() && reply.payload() == b"ping";
                }
            }
            false
        })
    }

    /// Pings until a reply comes, for `patience` at most.
    pub fn ping_until(&self, host: &str, address: &str, patience: Duration) {
        let deadline = Instant::now() + patience;
        while !self.ping(host, address) {
            assert!(Instant::now() < deadline, "no reply from {address} to {host}");
        }
    }

    /// Sends one frame, headers and all, out of a host's interface.
    pub fn send_raw(&self, host: &str, device: &str, frame: &[u8]) {
        self.send_raw_times(host, device, frame, 1);
    }

    /// Sends one frame again and again.
    pub fn send_raw_times(&self, host: &str, device: &str, frame: &[u8], times: usize) {
        self.within(host, || {
            let name = std::ffi::CString::new(device).unwrap();
            // SAFETY: plain system calls on a fresh socket; address and frame live
            // through them.
            unsafe {
                let fd = libc::socket(libc::AF_PACKET, libc::SOCK_RAW, 0);
                assert!(fd >= 0);
                let owned = std::os::fd::OwnedFd::from_raw_fd(fd);
                let mut address: libc::sockaddr_ll = std::mem::zeroed();
                address.sll_family = libc::AF_PACKET as u16;
                address.sll_ifindex = libc::if_nametoindex(name.as_ptr()) as i32;
                for _ in 0..times {
                    let sent = libc::sendto(
                        owned.as_raw_fd(),
                        frame.as_ptr().cast(),
                        frame.len(),
                        0,
                        std::ptr::from_ref(&address).cast(),
                        std::mem::size_of_val(&address) as u32,
                    );
                    assert_eq!(sent, frame.len() as isize, "{}", std::io::Error::last_os_error());
                }
            }
        });
    }

    /// A folder for this test's files.
    pub fn folder(&self) -> PathBuf {
        self.0.folder().to_owned()
    }
}

/// Makes this thread (alone, as a raw system call does) an ordinary user.
pub fn give_up_privileges() {
    let nobody = 65_534;
    // SAFETY: plain system call.
    let result = unsafe { libc::syscall(libc::SYS_setresuid, nobody, nobody, nobody) };
    assert_eq!(result, 0);
}

/// Makes a socket send datagrams of `size` bytes from one large write.
pub fn set_udp_segment(socket: &UdpSocket, size: libc::c_int) {
    // SAFETY: pointer and length describe `size`.
    let result = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_UDP,
            libc::UDP_SEGMENT,
            std::ptr::from_ref(&size).cast(),
            std::mem::size_of_val(&size) as u32,
        )
    };
    assert_eq!(result, 0, "{}", std::io::Error::last_os_error());
}

/// A stream of bytes that neither repeats nor compresses, told by its seed.
struct Noise(u64);

impl Noise {
    fn fill(&mut self, buffer: &mut [u8]) {
        for byte in buffer {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            *byte = (self.0 >> 32) as u8;
        }
    }
}

/// Sends `length` bytes of noise.
pub fn send_all(stream: &mut impl Write, length: usize, seed: u64) {
    let mut noise = Noise(seed);
    let mut buffer = vec![0; 1 << 16];
    for _ in 0..length / buffer.len() {
        noise.fill(&mut buffer);
        stream.write_all(&buffer).unwrap();
    }
}

/// Receives what [`send_all`] sent and compares it.
pub fn receive_all(stream: &mut impl Read, length: usize, seed: u64) {
    let mut noise = Noise(seed);
    let (mut buffer, mut expected) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    for part in 0..length / buffer.len() {
        stream.read_exact(&mut buffer).unwrap();
        noise.fill(&mut expected);
        assert!(buffer == expected, "part {part} arrived damaged");
    }
}

/// Joins ports 0 and 1, and keeps what it saw.
#[derive(Default)]
pub struct Wire {
    /// Picoseconds a frame takes through it.
    pub delay: Picoseconds,
    /// Bytes in the longest frame.
    pub longest: usize,
    /// The latest frames (of the first few thousand).
    pub frames: Vec<Vec<u8>>,
}

impl Dataplane for Wire {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.longest = self.longest.max(frame.len());
        if self.frames.len() < 1000 {
            self.frames.push(frame.to_vec());
        }
        out.push(Transmit { port: 1 - port, at: now + self.delay, frame: frame.to_vec() });
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status::default()
    }
}

/// A wire that the test can look at while the world has it.
struct Shared(Arc<Mutex<Wire>>);

impl Dataplane for Shared {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.0.lock().unwrap().receive(port, now, frame, out);
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status::default()
    }
}

/// A live world on a thread in namespace `r`.
pub struct Running {
    stop: Stop,
    wire: Arc<Mutex<Wire>>,
    thread: Option<JoinHandle<RunReport>>,
}

impl Running {
    /// Starts the world.
    pub fn start(hosts: &Hosts, ports: &[&str], wire: Wire) -> Self {
        let ports = parse_ports(ports).unwrap();
        let (stop, name) = (Stop::new().unwrap(), hosts.name("r"));
        let wire = Arc::new(Mutex::new(wire));
        let (its_stop, mut its_wire) = (stop.clone(), Shared(Arc::clone(&wire)));
        let (ready, opened) = std::sync::mpsc::channel();
        let wanted: Vec<_> = ports
            .iter()
            .filter_map(|port| port.spec.to_string().strip_prefix("tap:").map(str::to_owned))
            .collect();
        let thread = std::thread::spawn(move || {
            ww_netns::enter(&name).unwrap();
            ready.send(()).unwrap();
            ww_io::world::live::run(&ports, &mut its_wire, &its_stop).unwrap()
        });
        opened.recv().unwrap();
        let deadline = Instant::now() + Duration::from_secs(5);
        while !wanted.iter().all(|tap| hosts.try_ip("r", &format!("link show {tap} up"))) {
            assert!(Instant::now() < deadline, "no TAP device");
            std::thread::sleep(Duration::from_millis(10));
        }
        Self { stop, wire, thread: Some(thread) }
    }

    /// Waits until the wire has seen something.
    pub fn wait_for<T>(&self, patience: Duration, mut look: impl FnMut(&Wire) -> Option<T>) -> T {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(found) = look(&self.wire.lock().unwrap()) {
                return found;
            }
            assert!(Instant::now() < deadline, "waited in vain");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Stops the world; returns its counters and the wire.
    pub fn stop(mut self) -> (RunReport, Wire) {
        self.stop.raise();
        let report = self.thread.take().unwrap().join().unwrap();
        let wire = std::mem::take(&mut *self.wire.lock().unwrap());
        (report, wire)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.raise();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
