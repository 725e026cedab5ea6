// spec: §6.8 Calling convention
control C(const bit<8> x) { apply { } } //~ ERROR
