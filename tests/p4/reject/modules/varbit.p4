// spec: §20 Annotations
@ww_module("m", latency = 1) //~ ERROR no bool, bit<W> or int<W>
extern void f(in varbit<8> a);
