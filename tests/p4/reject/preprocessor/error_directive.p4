// spec: §6.2 Preprocessing
#error this program is not for you //~ ERROR
const bit<8> a = 1;
