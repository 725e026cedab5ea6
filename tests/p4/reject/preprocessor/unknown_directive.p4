// spec: §6.2 Preprocessing
#inclde <core.p4> //~ ERROR
