// spec: §19 Static assertions
#include <core.p4>
const bool ok = static_assert(1 + 1 == 3, "arithmetic is broken"); //~ ERROR arithmetic is broken
