// spec: §7.1.2 The error type
error { A }
const error a = error.A;
error { B, C }
const bool b = error.A == error.B;
