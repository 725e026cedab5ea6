// spec: §11.3 Instantiations
control Pipe();
package Top(Pipe p);
control A() { apply { } }
Top(A()) first;
Top(A()) main;
