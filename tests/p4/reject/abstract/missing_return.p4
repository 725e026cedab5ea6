// spec: §10 Function declarations
extern Balancer {
    Balancer();
    abstract bit<4> choose(in bit<32> address);
}
Balancer() b = { bit<4> choose(in bit<32> address) { } }; //~ ERROR
