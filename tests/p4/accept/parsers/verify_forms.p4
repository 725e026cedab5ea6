// spec: §13.7 verify
#include <core.p4>
error { Broken }
parser P(packet_in b, in bool ok, in error e) {
    state start {
        verify(ok, error.Broken);
        verify(ok && true, e);
        verify(false, error.NoError);
        transition accept;
    }
}
