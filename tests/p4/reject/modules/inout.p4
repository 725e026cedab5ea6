// spec: §20 Annotations
@ww_module("m", latency = 1) //~ ERROR neither `in` nor `out`
extern void f(inout bit<8> a);
