// spec: §7.2.1 Enumeration types
extern bit<8> now();
enum bit<8> Level { Low = now() } //~ ERROR
