// spec: §15 Parameterization
control Pipe();
package Top(Pipe p);
control A()(bit<8> n) { apply { } }
Top(A()) main; //~ ERROR
