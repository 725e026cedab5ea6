// spec: §7.2.8 Type nesting rules
control Pipe();
struct S { Pipe f; } //~ ERROR
