// spec: §7.2.1 Enumeration types
enum Nothing { } //~ ERROR
