// spec: §8.9 does not define them, published programs compute masks and complements with them
#include <core.p4>

#define HEADER_BYTES 14
#define TRAILER_BYTES 4

const bit<16> MINUS_LENGTH = (HEADER_BYTES + TRAILER_BYTES - 1) ^ 0xFFFF;
const int FLAGS = 1 | 4;
const bool SAME = static_assert(MINUS_LENGTH == 16w0xFFEE && FLAGS == 5 && 6 & 3 == 2);

control c(inout bit<16> x) {
    apply {
        x = x + MINUS_LENGTH + (0x0F & FLAGS);
    }
}
