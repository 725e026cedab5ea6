// Silencing one lint leaves the others.
@noWarn("shadow")
control C(inout bit<8> x) {
    bit<8> idle; //~ WARN variable `idle` is never used
    apply { }
}
