// spec: §12.1 Assignment statement
control Inner() { apply { } }
control C() {
    Inner() a;
    Inner() b;
    apply { a = b; } //~ ERROR
}
