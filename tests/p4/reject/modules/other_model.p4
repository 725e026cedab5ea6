// spec: §20 Annotations
@ww_module("m", latency = 1)
@ww_model("g") //~ ERROR does not have the parameters
extern bit<8> f(in bit<8> a);
bit<8> g(in bit<16> a) { return a[7:0]; }
