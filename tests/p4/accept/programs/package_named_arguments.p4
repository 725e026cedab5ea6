// spec: §8.22 Constructor invocations
control Pipe();
package Top(Pipe p, bit<8> n);
control A() { apply { } }
Top(n = 4, p = A()) main;
