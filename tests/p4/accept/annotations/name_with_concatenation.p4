// spec: §20.3.3 Control-plane API annotations
#include <core.p4>
control C() {
    @name("part" ++ "_one") table t { actions = { NoAction; } }
    apply { t.apply(); }
}
