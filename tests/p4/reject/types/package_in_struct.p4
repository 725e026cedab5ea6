// spec: §7.2.8 Type nesting rules
control Pipe();
package Top(Pipe p);
struct S { Top f; } //~ ERROR
