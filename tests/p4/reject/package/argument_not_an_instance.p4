// spec: §17.2 Example architecture program
control Pipe();
package Top(Pipe p);
control A() { apply { } }
Top(A) main; //~ ERROR
