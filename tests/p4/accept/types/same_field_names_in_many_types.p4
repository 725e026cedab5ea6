// spec: §6.6.1 Scopes
header A { bit<8> f; bit<8> g; }
header B { bit<16> f; bit<8> g; }
struct S { A f; B g; }
struct T { S f; S g; }
control C(inout T f) { apply { f.f.f.f = f.g.f.g; f.f.g.f = f.g.g.f; } }
