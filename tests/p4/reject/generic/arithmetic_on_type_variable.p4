// spec: §8.25 Operations on types that are type variables
T twice<T>(in T x) {
    return x + x; //~ ERROR
}
