// spec: §8.21 Method invocations and function calls
extern T make<T>();
control C(out bit<8> x) {
    apply { make(); } //~ ERROR
}
