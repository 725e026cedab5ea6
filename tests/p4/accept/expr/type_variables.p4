// spec: §8.25 Operations on types that are type variables
T same<T>(in T x) { T y = x; return y; }
void swap<T>(inout T a, inout T b) { T t = a; a = b; b = t; }
control C(inout bit<8> x, inout bit<8> y) {
    apply { swap(x, y); x = same(y); y = same<bit<8>>(x); }
}
