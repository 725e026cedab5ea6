// spec: §B P4 reserved keywords
struct S { bit<8> in; } //~ ERROR
