// spec: §8.13 Operations on tuple expressions
struct S { bit<32> a; bool b; }
extern void f<T>(in T data);
const tuple<bit<32>, bool> k = { 10, false };
const int ONE = 1;
control C(inout bit<32> x, inout bool y, out S s) {
    apply {
        tuple<bit<32>, bool> t = { x, y };
        tuple<bit<32>, bool> u = t;
        x = t[0] + k[0];
        y = u[ONE] && t == u && t != k;
        s = { x, y };
        f(t);
        f({ x, y });
        f((S) { 10, true });
        f({ 32w1, { true } });
    }
}
