// spec: §6.7 L-values
header H { bit<8> f; }
control C() {
    apply { H = { 1 }; } //~ ERROR
}
