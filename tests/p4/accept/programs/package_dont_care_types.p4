// spec: §7.2.14 Don't care types
control Pipe<T, U>(in T data, out U result);
package Half<T, U>(Pipe<T, U> map);
package Whole<T>(Half<T, _> a, Half<T, _> b);
control A(in bit<32> d, out bit<8> r) { apply { r = d[7:0]; } }
control B(in bit<32> d, out bool r) { apply { r = d == 0; } }
Half(A()) a;
Half(B()) b;
Whole(a, b) main;
