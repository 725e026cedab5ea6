// spec: §6.4.1 Identifiers
#include <core.p4>
struct S { bit<8> apply; bit<8> key; bit<8> actions; bit<8> state; bit<8> entries; bit<8> type; bit<8> priority; }
control C(inout S s) {
    bit<8> key = 1;
    bit<8> actions = 2;
    bit<8> state = 3;
    bit<8> entries = 4;
    bit<8> type = 5;
    bit<8> priority = 6;
    apply {
        s.apply = key + actions;
        s.key = state;
        s.actions = entries;
        s.state = type;
        s.type = priority;
        key = s.entries;
        s.priority = s.priority + key;
    }
}
