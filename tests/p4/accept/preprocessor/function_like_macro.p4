// spec: §6.2 Preprocessing
#define FIELD(w, n) bit<w> n;
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct S { FIELD(8, f) FIELD(16, g) }
const bit<8> a = MAX(3, MAX(1, 2));
