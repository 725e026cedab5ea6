// spec: §6.7 L-values
extern bit<8> now();
control C() {
    apply { now() = 5; } //~ ERROR
}
