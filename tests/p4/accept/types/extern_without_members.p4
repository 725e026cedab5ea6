// spec: §7.2.10.2 Extern objects
extern Empty { }
extern OnlyMethods { void a(); bit<8> b(in bit<8> x); }
