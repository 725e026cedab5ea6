// spec: §14 Control blocks
control C { apply { } } //~ ERROR
