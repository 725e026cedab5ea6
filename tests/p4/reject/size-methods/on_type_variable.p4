// spec: §9 Compile-time size determination
bit<32> f<T>(in T x) {
    return x.minSizeInBits(); //~ ERROR
}
