#include <v1model.p4>
struct Headers { }
struct Meta { }
control Drop(inout Headers h, inout Meta m, inout standard_metadata_t s) {
    action old_drop() {
        mark_to_drop(); //~ WARN function `mark_to_drop` is deprecated
    }
    action drop() {
        mark_to_drop(s);
    }
    apply { if (s.ingress_port == 1) { old_drop(); } else { drop(); } }
}
