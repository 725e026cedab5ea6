// spec: §6.6.1 Scopes
struct S { bit<8> S; bit<8> f; }
header f { bit<8> f; }
enum e { e, f }
control C(inout S s, inout f h) { apply { s.S = h.f; s.f = s.S; } }
