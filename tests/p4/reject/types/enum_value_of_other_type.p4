// spec: §7.2.1 Enumeration types
enum bit<8> Level { Low = true } //~ ERROR
