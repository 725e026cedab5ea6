// spec: §6.4.3.2 Integer literals
const int big = 0x1_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000;
const bit<512> wide = big * big >> 8;
