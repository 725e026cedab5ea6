// spec: §14 Control blocks
control C(inout bit<8> x) { } //~ ERROR apply
