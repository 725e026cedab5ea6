// spec: §F Restrictions on compile time and run time calls
control Pipe();
void f(in Pipe p) { } //~ ERROR
