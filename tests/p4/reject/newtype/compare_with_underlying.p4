// spec: §8.24 Operations on types introduced by type
type bit<8> Port;
control C(in Port p, in bit<8> x, out bool same) {
    apply { same = p == x; } //~ ERROR
}
