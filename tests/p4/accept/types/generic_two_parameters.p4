// spec: §7.2.11 Type specialization
struct Pair<A, B> { A first; B second; }
typedef Pair<bit<8>, bool> P;
control C(out P p) {
    apply { p = { 1, true }; p = (Pair<bit<8>, bool>) { first = 2, second = false }; }
}
