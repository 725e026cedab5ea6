// spec: §11.3.1 Instantiating objects with abstract methods
extern Reducer<T> { Reducer(T init); abstract T merge(in T a, in T b); T value(); }
control C(out bit<8> x) {
    Reducer<bit<8>>(0) r = { bit<8> merge(in bit<8> a, in bit<8> b) { return a |+| b; } };
    apply { x = r.value(); }
}
