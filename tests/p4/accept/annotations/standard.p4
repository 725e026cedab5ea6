// spec: §C P4 reserved annotations
#include <core.p4>
@pure extern bit<8> hash(in bit<8> x);
@noSideEffects extern bit<8> look(in bit<8> x);
@deprecated("use hash " ++ "instead") extern bit<8> old(in bit<8> x);
control C(inout bit<8> x) {
    @noWarn("unused") bit<8> unused;
    @hidden action a() { x = hash(x); }
    @name(".global_t") table t {
        key = { x: exact @name("the_key"); }
        actions = { @tableonly a; @defaultonly NoAction; }
    }
    @hidden table u { actions = { NoAction; } }
    apply { @atomic { t.apply(); u.apply(); x = old(look(x)); } }
}
