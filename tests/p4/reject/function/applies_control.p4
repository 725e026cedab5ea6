// spec: §F Restrictions on compile time and run time calls
control Inner() { apply { } }
void f() {
    Inner.apply(); //~ ERROR
}
