// spec: §8.12.1 Explicit casts
error { A, B }
control C(in error e, out bit<8> y) {
    apply { y = (bit<8>)e; } //~ ERROR
}
