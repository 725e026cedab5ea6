// spec: §7.2.1 Enumeration types
enum bool Flag { Off = false, On = true } //~ ERROR
