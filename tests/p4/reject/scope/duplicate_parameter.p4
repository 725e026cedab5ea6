// spec: §6.6.1 Scopes
control C(inout bit<8> x, inout bit<8> x) { apply { } } //~ ERROR x
