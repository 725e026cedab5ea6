// spec: §18.1 Compile-time known and local compile-time known values
#include <core.p4>
const bool c1 = static_assert(8w255 + 8w1 == 0);
const bool c2 = static_assert(8w255 |+| 8w1 == 255);
const bool c3 = static_assert(8w0 |-| 8w1 == 0);
const bool c4 = static_assert(8s127 |+| 8s1 == 127);
const bool c5 = static_assert(-8s128 == -128);
const bool c6 = static_assert((-5 >> 1) == -3);
const bool c7 = static_assert(8w0xF0 >> 4 == 0x0F);
const bool c8 = static_assert(8s0x70 << 1 == -32);
const bool c9 = static_assert(4w0xA ++ 4w0x5 == 8w0xA5);
const bool d1 = static_assert(8w0xA5[7:4] == 0xA);
const bool d2 = static_assert((int<8>)(8w0xFF) == -1);
const bool d3 = static_assert((bit<16>)(bit<8>)(-8s1) == 255);
const bool d4 = static_assert((int<16>)(-8s1) == -1);
const bool d5 = static_assert((bit<4>)(16w0x1234) == 4);
const bool d6 = static_assert(~8w0x0F == 0xF0);
const bool d7 = static_assert(17 / 5 == 3 && 17 % 5 == 2);
const bool d8 = static_assert((1 << 100) >> 99 == 2);
const bool d9 = static_assert(8w1 << 8 == 0 && -8s1 >> 100 == -1);
