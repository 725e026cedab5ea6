// spec: §19 Static assertions
#include <core.p4>
const bool ok = static_assert(true, 5); //~ ERROR
