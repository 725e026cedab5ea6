// spec: §19 Static assertions
#include <core.p4>
const bool ok = static_assert(1, "not a condition"); //~ ERROR
