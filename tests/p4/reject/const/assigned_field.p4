// spec: §11.1 Constants
struct S { bit<8> f; }
const S k = { 1 };
control C() {
    apply { k.f = 2; } //~ ERROR
}
