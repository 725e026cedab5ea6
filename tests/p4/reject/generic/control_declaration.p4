// spec: §14 Control blocks
control C<H>(inout H h) { apply { } } //~ ERROR
