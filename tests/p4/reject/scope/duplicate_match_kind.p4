// spec: §7.1.3 The match kind type
#include <core.p4>
match_kind { exact } //~ ERROR exact
