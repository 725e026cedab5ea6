// spec: §F Restrictions on compile time and run time calls
control C() {
    C() again; //~ ERROR
    apply { again.apply(); }
}
