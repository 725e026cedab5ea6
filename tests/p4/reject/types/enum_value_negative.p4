// spec: §7.2.1 Enumeration types
enum bit<4> Level {
    Low = -1, //~ ERROR
    High = 1
}
