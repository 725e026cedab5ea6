// spec: §7.2.1 Enumeration types
enum int Level { Low = 0, High = 1 } //~ ERROR
