// A program repeats an extern function that its architecture declares in the same way: one
// function, with a warning.
// spec: §7.2.10.1 Extern functions
#include <core.p4>

extern void again(in bit<8> times);
extern void again(in bit<8> times);
extern void again(in bit<8> times, in bit<8> pause);

control c(inout bit<8> x) {
    apply {
        again(x);
        again(times = 3);
        again(x, 2);
    }
}
