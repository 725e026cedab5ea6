// spec: §11.2 Variables
control Inner() { apply { } }
control C() {
    Inner i; //~ ERROR
    apply { i.apply(); }
}
