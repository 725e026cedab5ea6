// spec: §8.18 Operations on headers
header H { bit<8> f; }
extern H make();
control C() {
    apply { make().setValid(); } //~ ERROR
}
