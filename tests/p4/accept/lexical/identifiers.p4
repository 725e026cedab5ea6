// spec: §6.4.1 Identifiers
const bit<8> _a = 1;
const bit<8> __ = 2;
const bit<8> a1_ = _a + __;
const bit<8> Bit = 3;
const bit<8> TABLE = 4;
const bit<8> headers = 5;
