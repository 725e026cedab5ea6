// spec: §20 Annotations
@ww_module("m", latency = 0) //~ ERROR the latency is 1 to 64 clocks
extern bit<8> f(in bit<8> a);
