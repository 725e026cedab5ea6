// spec: §6.2 Preprocessing
#define A
#define N 3
#ifdef A
const bit<8> a = N;
#else
this is not P4
#endif
#ifndef A
nor this
#elif N == 2
nor this
#elif N == 3 && defined(A)
const bit<8> b = 2;
#else
nor this
#endif
#if !defined(B) && (N + 2 >= 5 || 0)
const bit<8> c = 3;
#endif
const bit<8> d = a + b + c;
