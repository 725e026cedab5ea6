// spec: §6.8 Calling convention
control C(inout bit<8>) { apply { } } //~ ERROR
