// no warnings
@deprecated("use modern") bit<8> old(in bit<8> a) { return a; }
@noWarn("deprecated")
control C(inout bit<8> x) {
    apply { x = old(x); }
}
control D(inout bit<8> x) {
    apply {
        @noWarn("deprecated") { x = old(x); }
    }
}
