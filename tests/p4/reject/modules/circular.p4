// spec: §20 Annotations
@ww_module("m", latency = 1)
@ww_model("g") //~ ERROR has a model itself
extern bit<8> f(in bit<8> a);
bit<8> g(in bit<8> a) { return f(a) + 1; }
