// spec: §6.4.1 Identifiers
extern void f(in bit<8> key, in bit<8> type, out bit<8> state);
control C(inout bit<8> priority) {
    apply { f(key = 1, type = priority, state = priority); }
}
