// spec: §F Restrictions on compile time and run time calls
control C() {
    value_set<bit<8>>(4) pvs; //~ ERROR
    apply { }
}
