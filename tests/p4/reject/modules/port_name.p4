// spec: §20 Annotations
@ww_module("m", latency = 1) //~ ERROR a port that every module has
extern bit<8> f(in bit<8> clk);
