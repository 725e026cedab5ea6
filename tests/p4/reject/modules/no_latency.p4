// spec: §20 Annotations
@ww_module("m") //~ ERROR latency = CLOCKS
extern bit<8> f(in bit<8> a);
