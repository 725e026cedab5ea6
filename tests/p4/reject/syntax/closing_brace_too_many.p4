// spec: §6.6 P4 programs
control C() { apply { } } } //~ ERROR
