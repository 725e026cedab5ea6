// spec: §12.7 Switch statement
#include <core.p4>
parser P(packet_in b, in bit<8> x) {
    state start {
        switch (x) { 1: { } } //~ ERROR
        transition accept;
    }
}
