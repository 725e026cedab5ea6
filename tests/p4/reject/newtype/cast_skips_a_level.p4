// spec: §8.12.1 Explicit casts
type bit<8> Port;
control C(in bool b, out Port p) {
    apply { p = (Port)b; } //~ ERROR
}
