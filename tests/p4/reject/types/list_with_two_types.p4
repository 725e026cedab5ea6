// spec: §7.2.7 List types
extern E { E(list<bit<8>, bool> l); } //~ ERROR
