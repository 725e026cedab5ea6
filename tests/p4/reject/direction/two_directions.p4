// spec: §6.8 Calling convention
control C(in out bit<8> x) { apply { } } //~ ERROR
