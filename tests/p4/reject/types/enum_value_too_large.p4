// spec: §7.2.1 Enumeration types
enum bit<4> Level {
    Low = 0,
    High = 16 //~ ERROR
}
