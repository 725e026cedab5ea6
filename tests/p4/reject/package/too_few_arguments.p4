// spec: §17.2 Example architecture program
control Pipe();
package Top(Pipe p, Pipe q);
control A() { apply { } }
Top(A()) main; //~ ERROR
