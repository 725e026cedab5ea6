// spec: §7.5 typedef
header Bare { }
typedef bit<32> quad;
typedef quad word;
typedef struct Corner { int<32> x; int<32> y; } Vertex;
typedef Bare[32] Many;
typedef tuple<bit<8>, bool> Pair;
typedef error Err;
typedef int Number;
struct S<T> { T field; }
typedef S<word> X;
const Number n = 5;
control C(inout Vertex p, inout Corner q, inout Many h) {
    apply { p = q; q.x = p.y; X x = { field = 1 }; p.x = (int<32>)x.field; }
}
