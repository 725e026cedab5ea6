// spec: §7.2.1 Enumeration types
error { A, B }
enum error Level { Low = error.A, High = error.B } //~ ERROR
