// spec: §8.3 Operations on enum types
enum bit<8> Level { Low = 0, High = 10 }
enum bit<8> Grade { Good = 1, Bad = 2 }
control C(inout Level l, inout Grade g, inout bit<8> x, out bool b) {
    apply {
        x = l;
        l = (Level)x;
        l = (Level)g;
        l = (Level)(Level.Low + 1);
        l = (Level)(Grade.Good + Grade.Bad);
        b = l == Level.High;
        b = l > g;
        x = l + g;
        x = -l;
        b = (bit<8>)l != 3;
    }
}
