// spec: §11.3.1 Instantiating objects with abstract methods
extern Counter { Counter(bit<32> n); void count(in bit<32> i); }
extern Hook { Hook(bit<8> n); abstract void run(in bit<32> x, out bit<32> y); abstract bool test(); }
const bit<32> step = 2;
bit<32> twice(in bit<32> x) { return x + x; }
control C() {
    Hook(3) h = {
        Counter(16) c;
        void run(in bit<32> x, out bit<32> y) { c.count(x); y = twice(x) + step; }
        bool test() { return true; }
    };
    apply { bit<32> r; h.run(1, r); if (h.test()) { h.run(x = r, y = r); } }
}
