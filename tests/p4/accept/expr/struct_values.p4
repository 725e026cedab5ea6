// spec: §8.14 Operations on structure-valued expressions
struct In { bit<8> f; bool g; }
struct Out { In i; bit<16> n; }
control C(inout In a, out Out o, out bool b) {
    apply {
        a = { g = true, f = 1 };
        a = { 1, true };
        a = (In) { f = 2, g = false };
        o = { n = 5, i = { 3, false } };
        o = { { f = 3, g = true }, 7 };
        o = { i = a, ... };
        b = a == (In) { f = 1, g = true };
        b = ((In) { f = 1, g = true }).g;
    }
}
