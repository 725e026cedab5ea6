// spec: §7.2.2 Header types
header { bit<8> f; } //~ ERROR
