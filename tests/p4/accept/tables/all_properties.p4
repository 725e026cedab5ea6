// spec: §14.2 Tables
#include <core.p4>
extern ActionProfile { ActionProfile(bit<32> size); }
control C(inout bit<8> x, in bit<16> y) {
    ActionProfile(4) shared;
    action a(bit<8> n) { x = n; }
    @name("renamed") table t {
        key = { x: exact @name("first"); y: ternary; }
        actions = { a; @tableonly NoAction; }
        @custom const default_action = a(3);
        size = 1024;
        implementation = ActionProfile(32);
        const my_property = 5;
        another_property = { 1, true };
        @noWarn("unused") a_name = "text";
        largest_priority_wins = false;
        priority_delta = 10;
        entries = { }
    }
    table u {
        actions = { NoAction; }
        implementation = shared;
    }
    apply { t.apply(); u.apply(); }
}
