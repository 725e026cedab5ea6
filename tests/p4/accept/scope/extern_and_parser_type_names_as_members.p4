// spec: §6.4.1 Identifiers
extern Counter { Counter(); void count(); }
struct S { bit<8> Counter; bit<8> count; }
control C(inout S s) {
    Counter() counter;
    apply { counter.count(); s.Counter = s.count; }
}
