// spec: §17.1 Example architecture description
#include <core.p4>
struct InControl { bit<4> inputPort; }
struct OutControl { bit<4> outputPort; }
parser Parser<H>(packet_in b, out H parsedHeaders);
control Pipe<H>(inout H headers, in error parseError, in InControl inCtrl, out OutControl outCtrl);
control Deparser<H>(inout H outputHeaders, packet_out b);
package VSS<H>(Parser<H> p, Pipe<H> map, Deparser<H> d);
header H1 { bit<8> f; }
struct Headers { H1 h; }
parser MyParser(packet_in b, out Headers h) {
    state start { b.extract(h.h); transition accept; }
}
control MyPipe(inout Headers h, in error e, in InControl i, out OutControl o) {
    apply { o.outputPort = e == error.NoError ? i.inputPort : 4w0xF; }
}
control MyDeparser(inout Headers h, packet_out b) { apply { b.emit(h.h); } }
VSS(MyParser(), MyPipe(), MyDeparser()) main;
