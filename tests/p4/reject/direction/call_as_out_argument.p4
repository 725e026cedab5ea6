// spec: §6.7 L-values
extern bit<8> now();
extern void get(out bit<8> x);
control C() {
    apply { get(now()); } //~ ERROR
}
