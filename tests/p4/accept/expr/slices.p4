// spec: §8.7 Operations on fixed-width bit types
const int HI = 7;
enum bit<8> Pos { Low = 0, High = 3 }
control C(inout bit<8> x, inout int<8> s, inout bit<16> y) {
    apply {
        x[3:0] = x[7:4];
        x[HI:HI] = 1;
        x[8w7:0] = 5;
        bit<4> a = s[5:2];
        s[7:7] = 1w0;
        bit<1> b = y[15:8][3:3];
        a = x[Pos.High:Pos.Low];
        y[15:8][3:0] = a;
        x[5:5] = ~x[5:5];
        a = (x + 1)[3:0];
    }
}
