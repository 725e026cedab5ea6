// spec: §7.2.10.2 Extern objects
extern void f(in bit<8> x);
extern void f(in bit<16> x); //~ ERROR
