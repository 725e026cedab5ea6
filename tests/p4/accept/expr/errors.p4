// spec: §8.2 Operations on error types
#include <core.p4>
control C(in error e, out error f, out bool b) {
    apply {
        b = e == error.NoError || e != error.NoMatch;
        f = b ? e : error.PacketTooShort;
    }
}
