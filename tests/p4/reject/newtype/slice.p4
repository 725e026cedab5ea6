// spec: §8.24 Operations on types introduced by type
type bit<8> Port;
control C(in Port p, out bit<4> x) {
    apply { x = p[3:0]; } //~ ERROR
}
