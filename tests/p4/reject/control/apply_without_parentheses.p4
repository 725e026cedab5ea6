// spec: §14.4 Invoking controls
control Inner() { apply { } }
control C() {
    Inner() i;
    apply { i.apply; } //~ ERROR
}
