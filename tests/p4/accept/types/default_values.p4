// spec: §8.27 Initializing with default values
#include <core.p4>
struct S { bit<32> count; bool b; }
enum int<8> Sign { plus = 1, none = 0, minus = -1 }
enum Tone { Low, Mid, High }
struct T { S s; Sign n0; Tone n1; error e; varbit<8> v; }
header H { bit<16> f1; bit<8> f2; }
control C() {
    apply {
        Sign n0 = ...;
        Tone n1 = ...;
        S s0 = ...;
        S s1 = { 1, ... };
        S s2 = { b = true, ... };
        T t0 = ...;
        T t1 = { s = ..., ... };
        tuple<Sign, Tone> p = { ... };
        H h1 = ...;
        H h2 = { f2 = 5, ... };
        H h3 = { ... };
        H[2] st = ...;
        H[3] st2 = { { 0, 1 }, ... };
        bit<8> x = ...;
        bool b = ...;
    }
}
