// spec: §8.21 Method invocations and function calls
extern bit<8> f(out bit<8> x);
control C(inout bit<8> x) {
    apply { f(x); f(_); }
}
