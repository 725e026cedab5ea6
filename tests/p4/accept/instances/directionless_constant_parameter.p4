// spec: §6.8 Calling convention
extern void resize(bit<8> n, int m, string s, bool b);
control Inner(bit<8> n, out bit<8> y) { apply { y = n; } }
const bit<8> K = 4;
control Outer(out bit<8> y)(bit<8> c) {
    Inner() i;
    apply { resize(K + 1, 1 << 40, "a" ++ "b", true); resize(c, 2, "", false); i.apply(5, y); i.apply(c + 1, y); }
}
