// spec: §8.21 Method invocations and function calls
extern T first<T, U>(in T x, in U y);
extern void both<T>(in T x, in T y);
extern T make<T>();
struct S { bit<8> f; }
control C(inout bit<8> x, inout S s) {
    apply {
        x = first(x, s);
        s = first(s, true);
        x = first<bit<8>, _>(x, s);
        both(x, 5);
        both(3, x);
        x = make<bit<8>>();
        s = make<S>();
        both(s, (S) { f = 1 });
        both<S>(s, { 1 });
    }
}
