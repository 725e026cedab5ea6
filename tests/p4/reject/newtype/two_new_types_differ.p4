// spec: §7.6 Introducing new types
type bit<8> Port;
type bit<8> Queue;
control C(in Port p, out Queue q) {
    apply { q = p; } //~ ERROR
}
