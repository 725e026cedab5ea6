// spec: §7.2.12 Parser and control blocks types
control Pipe();
control C(Pipe p) { apply { p.apply(); } } //~ ERROR
