// spec: §7.1.1 The void type
control C(in void x) { apply { } } //~ ERROR
