// spec: §6.4.4 Optional trailing commas
@List[1, 2, ] @Pairs[a=1, b="x", ] struct S { bit<8> f; }
