// spec: §7.6 Introducing new types: a number without a width becomes a value of the new type
#include <core.p4>

type bit<9> Port;
type int<8> Level;

const Port FIRST = 0;

struct route {
    Port  port;
    Level level;
}

extern void send(in Port port);

control c(inout route r) {
    apply {
        r = { 3, -2 };
        r.port = 1;
        send(7);
        if (r.port == FIRST) {
            r.level = 5;
        }
    }
}
