// spec: §7.1.2 The error type
#include <core.p4>
error { PacketTooShort } //~ ERROR packettooshort
