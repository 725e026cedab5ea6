// spec: §6.8 Calling convention
control C(inout x) { apply { } } //~ ERROR
