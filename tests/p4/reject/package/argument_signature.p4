// spec: §17.2 Example architecture program
control Pipe(inout bit<8> x);
package Top(Pipe p);
control A(inout bit<16> x) { apply { } }
Top(A()) main; //~ ERROR
