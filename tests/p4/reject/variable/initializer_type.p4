// spec: §11.2 Variables
control C() {
    apply { bit<8> x = true; } //~ ERROR
}
