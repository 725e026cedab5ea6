// spec: §12.7 Switch statement
void f(inout bit<8> x) { switch (x) { 1: { x = 2; } } }
control C(inout bit<8> x) {
    action a() { switch (x) { 3: { x = 4; return; } default: { exit; } } }
    apply { a(); f(x); }
}
