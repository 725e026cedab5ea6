// spec: §7.2.11 Type specialization
control Pipe<T>(inout T x);
package Top(Pipe p); //~ ERROR
