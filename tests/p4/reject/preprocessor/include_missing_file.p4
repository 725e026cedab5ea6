// spec: §6.2 Preprocessing
#include "there_is_no_such_file.p4" //~ ERROR there_is_no_such_file
