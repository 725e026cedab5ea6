// spec: §6.2 Preprocessing; conditions choose the lines of a string that spans several
#include <core.p4>
#define WITH_PORTS

control c(inout bit<8> x) {
    @entry_restriction("
#ifdef WITH_NOTHING
        // A lone " in a group that is left out ends nothing.
        x != 1;
#elif defined(WITH_PORTS)
        x::mask != 0 -> (x == 2 || x == 3);
        # a line that is no directive, and the text's own
#else
        left out too "
#endif
        x != 4;
    ")
    table t {
        key = {
            x : exact;
        }
        actions = {
            NoAction;
        }
    }
    apply {
        t.apply();
    }
}
