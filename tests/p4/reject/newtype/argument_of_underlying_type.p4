// spec: §7.6 Introducing new types
type bit<8> Port;
extern void send(in Port p);
control C(in bit<8> x) {
    apply { send(x); } //~ ERROR
}
