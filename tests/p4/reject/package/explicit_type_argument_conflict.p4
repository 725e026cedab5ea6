// spec: §17.2 Example architecture program
control Pipe<T>(in T data);
package Switch<T>(Pipe<T> map);
control A(in bit<8> data) { apply { } }
Switch<bit<32>>(A()) main; //~ ERROR
