// no warnings
// `@noWarn` at the declaration, or at one around it.
@noWarn("unused")
control C(inout bit<8> x) {
    bit<8> idle;
    action orphan(bit<8> value) { x = 2; }
    apply { }
}
control D(inout bit<8> x) {
    @noWarn("unused") bit<8> idle;
    @noWarn("unused") action orphan(bit<8> value) { x = 2; }
    apply { }
}
