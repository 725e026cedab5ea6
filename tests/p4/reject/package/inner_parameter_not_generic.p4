// spec: §7.2.12 Parser and control blocks types
control Pipe(inout bit<8> x);
package Top(Pipe<bit<8>> p); //~ ERROR
