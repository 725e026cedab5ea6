// spec: §14 Control blocks
apply { } //~ ERROR
