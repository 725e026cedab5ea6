// spec: §6.6.1 Scopes
header Packet { bit<8> f; }
control Packet() { apply { } } //~ ERROR packet
