// spec: §8.12.1 Explicit casts
typedef bit<8> Byte;
type bit<8> Port;
enum int<8> Level { Low = -1 }
control C(inout bit<8> x, inout int<8> s, inout bit<1> one, inout bool b, inout Port p, out bit<16> y, out int<16> z) {
    apply {
        b = (bool)one;
        one = (bit<1>)b;
        b = (bool)1;
        b = (bool)0;
        s = (int<8>)x;
        x = (bit<8>)s;
        y = (bit<16>)x;
        x = (bit<8>)y;
        z = (int<16>)s;
        s = (int<8>)z;
        x = (bit<8>)1000;
        s = (int<8>)-1000;
        x = (Byte)x;
        x = (bit<8>)(Byte)3;
        p = (Port)x;
        x = (bit<8>)p;
        s = (int<8>)Level.Low;
        Level l = (Level)s;
        b = (bool)b;
        s = (int<8>)(bit<8>)y;
        x = (bit<8>)-1;
    }
}
