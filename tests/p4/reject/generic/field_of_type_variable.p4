// spec: §8.25 Operations on types that are type variables
bit<8> first<T>(in T x) {
    return x.f; //~ ERROR
}
