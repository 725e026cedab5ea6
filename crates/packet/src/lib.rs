//! Bytes on the wire: header formats, checksums and CRC.
