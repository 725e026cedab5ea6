// spec: §17.2 Example architecture program
control Pipe<T>(in T data);
package Box<T>(Pipe<T> back);
control A(in bit<32> data) { apply { } }
Box<bit<32>>(A()) main;
