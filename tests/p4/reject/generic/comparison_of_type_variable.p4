// spec: §8.25 Operations on types that are type variables
bool less<T>(in T x, in T y) {
    return x < y; //~ ERROR
}
