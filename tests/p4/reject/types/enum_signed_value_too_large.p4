// spec: §7.2.1 Enumeration types
enum int<4> Level {
    Low = -8,
    High = 8 //~ ERROR
}
