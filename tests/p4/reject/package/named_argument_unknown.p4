// spec: §8.21 Method invocations and function calls
control Pipe();
package Top(Pipe p);
control A() { apply { } }
Top(q = A()) main; //~ ERROR
