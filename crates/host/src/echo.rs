//! Answers TPPs on a host without a shim: a standalone TPP that comes to UDP port 0x6666 goes back to where it came
//! from, marked done, so that neither a switch executes it nor a host sends it back again.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::time::Duration;
use ww_tpp::header::TPP_NUMBER;
use ww_tpp::packet::{Repr, Tpp};

/// How often it looks whether it is to end.
const LOOK: Duration = Duration::from_millis(100);

/// What it has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// TPPs that were sent back.
    pub echoed: u64,
    /// Datagrams that are no TPP, or one that is done.
    pub ignored: u64,
    /// Answers that could not be sent.
    pub failed: u64,
}

/// Answers at one address of the host.
pub struct Echo {
    socket: UdpSocket,
    counters: Counters,
}

impl Echo {
    /// Takes UDP port 0x6666 of an address; 0.0.0.0 for all. A host with several addresses answers from the one that
    /// its routes prefer, so that each network needs an echo of its own there.
    ///
    /// # Errors
    /// There is no such address, or another process has the port.
    pub fn bind(address: Ipv4Addr) -> io::Result<Self> {
        let socket = UdpSocket::bind(SocketAddrV4::new(address, TPP_NUMBER))?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, counters: Counters::default() })
    }

    /// Answers until `stop` says so, which is asked ten times a second. `seen` gets each TPP, as it came, with its
    /// sender.
    ///
    /// # Errors
    /// The socket is of no use any more.
    pub fn run(
        &mut self,
        stop: impl Fn() -> bool,
        mut seen: impl FnMut(SocketAddrV4, &Repr),
    ) -> io::Result<Counters> {
        let mut bytes = [0; 2048];
        let time = Timespec { tv_sec: 0, tv_nsec: LOOK.subsec_nanos().into() };
        while !stop() {
            let mut sockets = [PollFd::new(&self.socket, PollFlags::IN)];
            match poll(&mut sockets, Some(&time)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => continue,
                Ok(_) => {}
                Err(error) => return Err(error.into()),
            }
            match self.socket.recv_from(&mut bytes) {
                Ok((length, std::net::SocketAddr::V4(from))) => {
                    self.answer(&mut bytes[..length], from, &mut seen);
                }
                Ok(_) => {}
                // An answer was refused, which says nothing about the next datagram.
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.counters)
    }

    fn answer(
        &mut self,
        bytes: &mut [u8],
        from: SocketAddrV4,
        seen: &mut impl FnMut(SocketAddrV4, &Repr),
    ) {
        let Some(mut tpp) = Tpp::new(&mut *bytes).ok().filter(|tpp| !tpp.is_done()) else {
            self.counters.ignored += 1;
            return;
        };
        seen(from, &Repr::parse(&tpp));
        tpp.mark_done();
        // What is behind the TPP goes back, too, as with a shim.
        match self.socket.send_to(bytes, from) {
            Ok(_) => self.counters.echoed += 1,
            Err(_) => self.counters.failed += 1,
        }
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock
            | ErrorKind::Interrupted
            | ErrorKind::ConnectionRefused
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
    )
}
