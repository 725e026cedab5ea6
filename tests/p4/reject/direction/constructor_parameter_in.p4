// spec: §15 Parameterization
control C()(in bit<8> n) { apply { } } //~ ERROR
