// spec: §6.6.1 Scopes
control Outer() {
    Inner() inner; //~ ERROR inner
    apply { inner.apply(); }
}
control Inner() { apply { } }
