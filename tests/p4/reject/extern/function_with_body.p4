// spec: §7.2.10.1 Extern functions
extern bit<8> get() { return 1; } //~ ERROR
