// spec: §6.4.1 Identifiers
struct Data { bit<8> f; }
control C(inout bit<8> x, in Data d) {
    apply { bit<8> Data = d.f; }
}
