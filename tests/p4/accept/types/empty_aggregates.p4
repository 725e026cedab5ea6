// spec: §7.2.2 Header types
header Empty_h { }
struct Empty_s { }
header_union Empty_u { }
struct S { Empty_h h; Empty_s s; tuple<> t; Empty_u u; }
extern Nothing { }
control C(inout S s) { apply { s.h.setValid(); } }
