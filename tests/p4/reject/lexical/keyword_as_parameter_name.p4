// spec: §B P4 reserved keywords
control C(inout bit<8> default) { apply { } } //~ ERROR
