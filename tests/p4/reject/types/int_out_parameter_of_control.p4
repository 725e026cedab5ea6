// spec: §7.1.6.5 Arbitrary-precision integers
control C(out int x) { apply { x = 1; } } //~ ERROR int
