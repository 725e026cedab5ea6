// spec: §7.2.11 Type specialization
control Pipe<T>(in T data);
package Switch<T>(Pipe<T> map);
control A(in bit<8> data) { apply { } }
Switch<bit<8>, bit<8>>(A()) main; //~ ERROR
