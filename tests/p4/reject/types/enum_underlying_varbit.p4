// spec: §7.2.1 Enumeration types
enum varbit<8> Level { Low = 0, High = 1 } //~ ERROR
