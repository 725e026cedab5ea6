// spec: §7.2.13 Package types
control Pipe<T>(inout T x);
package Half<T>(Pipe<T> p);
package Whole<T>(Half<T> a, Half<T> b);
control A(inout bit<8> x) { apply { x = 1; } }
Half(A()) left;
Whole(left, Half(A())) main;
