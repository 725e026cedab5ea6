// spec: §7.2.8 Type nesting rules
control Pipe() { apply { } }
struct S { Pipe p; } //~ ERROR
