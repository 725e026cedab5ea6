// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
table t { actions = { NoAction; } } //~ ERROR
