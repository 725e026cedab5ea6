// spec: §20 Annotations
@ww_module("m", latency = 1)
@ww_model("g") //~ ERROR no function `g`
extern bit<8> f(in bit<8> a);
