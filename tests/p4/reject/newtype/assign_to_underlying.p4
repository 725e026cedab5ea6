// spec: §7.6 Introducing new types
type bit<8> Port;
control C(in Port p, out bit<8> x) {
    apply { x = p; } //~ ERROR
}
