// spec: §7.1.6.2 Unsigned integers
header H { bit<0> nothing; bit<8> f; varbit<0> empty; }
struct S { bit<0> z; }
const bit<0> z = 0;
