// spec: §F Restrictions on compile time and run time calls
control C() {
    apply { C.apply(); } //~ ERROR
}
