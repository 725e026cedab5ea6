// spec: §8.12.2 Implicit casts
const bit<8> a = 16w5; //~ ERROR
