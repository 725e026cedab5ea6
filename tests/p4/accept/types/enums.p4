// spec: §7.2.1 Enumeration types
enum Suit { Clubs }
enum bit<16> Ether { VLAN = 0x8100, IPV4 = 0x0800 }
enum int<8> Signed { Low = -128, High = 127 }
typedef bit<8> Byte;
typedef Byte Octet;
enum Octet Same { A = 1, B = 1, C = 2 }
const bit<8> base = 5;
enum bit<8> Computed { A = base, B = base + 1, C = 8w7 }
