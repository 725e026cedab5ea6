// spec: §8.21 Method invocations and function calls
extern void get(out bit<8> x);
control C(inout bit<16> x) {
    apply { get(x); } //~ ERROR
}
