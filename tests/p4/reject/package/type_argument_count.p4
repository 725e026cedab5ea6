// spec: §7.2.11 Type specialization
control Pipe<T>(in T data);
package Box<T>(Pipe<T> back);
control A(in bit<8> data) { apply { } }
Box<bit<8>, bit<8>>(A()) main; //~ ERROR
