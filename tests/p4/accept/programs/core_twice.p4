// spec: §6.2 Preprocessing
#include <core.p4>
# include <core.p4>
