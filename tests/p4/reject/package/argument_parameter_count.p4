// spec: §17.2 Example architecture program
control Pipe(inout bit<8> x);
package Top(Pipe p);
control A(inout bit<8> x, inout bit<8> y) { apply { } }
Top(A()) main; //~ ERROR
