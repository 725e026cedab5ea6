// spec: §7.6 Introducing new types
type bit<32> U32;
type int<8> Small;
type bool Flag;
typedef bit<9> PortBits;
type PortBits Port;
type Port InnerPort;
control C(inout U32 x, inout U32 y, out bool b) {
    apply {
        x = (U32)0;
        y = (U32)((bit<32>)x + 1);
        b = x == y;
        b = (bit<32>)x == (bit<32>)y || x != y;
        InnerPort p = (InnerPort)(Port)9w3;
        Flag f = (Flag)true;
        b = (bool)f;
    }
}
