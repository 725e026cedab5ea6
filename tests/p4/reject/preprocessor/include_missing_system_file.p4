// spec: §6.2 Preprocessing
#include <there_is_no_such_library.p4> //~ ERROR there_is_no_such_library
