// spec: §7.2.3 Header stacks
header H { bit<8> f; }
const int N = 2;
const bit<8> M = 3;
struct S { H[1] a; H[N] b; H[M] c; H[N + 1] d; H[(N * 2)] e; }
