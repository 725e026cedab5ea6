// spec: §15 Parameterization
extern E { E(); bit<8> get(); }
control Leaf(inout bit<8> x)(bit<8> n, bool b, E e) {
    bit<8> start = n;
    apply { if (b) { x = e.get() + start; } else { x = n; } }
}
control Root(inout bit<8> x)(bit<8> n) {
    E() shared;
    Leaf(n + 1, true, shared) a;
    Leaf(n = 3, e = E(), b = false) b;
    apply { a.apply(x); b.apply(x = x); }
}
control Pipe(inout bit<8> x);
package Top(Pipe p);
Top(Root(5)) main;
