//! The socket's file.

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// A listening socket whose file is removed when it is dropped.
#[derive(Debug)]
pub struct Socket {
    /// Where clients come in.
    pub listener: UnixListener,
    path: PathBuf,
    /// Device and inode of the file: another one under the name is not ours.
    file: (u64, u64),
}

/// Listens at `path`, readable and writable for its owner only. A socket that nobody listens at
/// any more is replaced.
///
/// # Errors
/// A sentence with the name.
pub fn listen(path: &Path) -> Result<Socket, String> {
    let shown = path.display();
    let cannot = |error: io::Error| format!("cannot listen at '{shown}': {error}");
    match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.file_type().is_socket() => {
            return Err(format!("cannot listen at '{shown}': there is a file that is no socket"));
        }
        Ok(_) => match UnixStream::connect(path) {
            Ok(_) => {
                return Err(format!("cannot listen at '{shown}': another process does already"));
            }
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                fs::remove_file(path).map_err(cannot)?;
            }
            Err(error) => return Err(cannot(error)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => (),
        Err(error) => return Err(cannot(error)),
    }
    let address = SocketAddrUnix::new(path).map_err(|error| match error {
        rustix::io::Errno::NAMETOOLONG => {
            format!("cannot listen at '{shown}': the name of a socket has at most 107 bytes")
        }
        error => cannot(error.into()),
    })?;
    let socket = rustix::net::socket_with(
        AddressFamily::UNIX,
        SocketType::STREAM,
        SocketFlags::CLOEXEC,
        None,
    )
    .map_err(|error| cannot(error.into()))?;
    rustix::net::bind(&socket, &address).map_err(|error| cannot(error.into()))?;
    // Nobody can connect before `listen`, so nobody comes in before the permissions are set.
    let prepared = fs::set_permissions(path, fs::Permissions::from_mode(0o600))
        .and_then(|()| rustix::net::listen(&socket, 64).map_err(io::Error::from))
        .and_then(|()| fs::symlink_metadata(path));
    match prepared {
        Ok(metadata) => Ok(Socket {
            listener: UnixListener::from(socket),
            path: path.to_owned(),
            file: (metadata.dev(), metadata.ino()),
        }),
        Err(error) => {
            let _ = fs::remove_file(path);
            Err(cannot(error))
        }
    }
}

impl Socket {
    /// Ends a wait for clients.
    pub fn shut(&self) {
        // Fails only if the socket is shut already.
        let _ = rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both);
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let ours = fs::symlink_metadata(&self.path)
            .is_ok_and(|metadata| (metadata.dev(), metadata.ino()) == self.file);
        if ours {
            let _ = fs::remove_file(&self.path);
        }
    }
}
