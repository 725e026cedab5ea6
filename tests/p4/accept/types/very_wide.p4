// spec: §7.1.6.1 Portability
const bit<4096> a = 1 << 4095;
control C(inout bit<4096> x) { apply { x = x + a; } }
