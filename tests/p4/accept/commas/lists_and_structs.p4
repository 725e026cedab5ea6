// spec: §6.4.4 Optional trailing commas
struct S { bit<8> f; bit<8> g; }
const S a = { 1, 2, };
const S b = { f = 1, g = 2, };
const S c = { f = 1, ..., };
const tuple<bit<8>, bool> t = { 1, true, };
