// spec: §6.9 Name resolution
control C(inout Nothing x) { apply { } } //~ ERROR nothing
