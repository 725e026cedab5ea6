// spec: §8.24 Operations on types introduced by type
type bit<8> Port;
control C(in Port p, in Port q, out bool less) {
    apply { less = p < q; } //~ ERROR
}
