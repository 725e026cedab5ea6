// spec: §6.3 P4 core library
#include <core.p4>
