// spec: §7.1.2 The error type
error { } //~ ERROR
