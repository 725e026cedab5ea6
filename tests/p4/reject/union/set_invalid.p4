// spec: §8.20 Operations on header unions
header A { bit<8> f; }
header_union U { A a; }
control C(inout U u) {
    apply { u.setInvalid(); } //~ ERROR setinvalid
}
