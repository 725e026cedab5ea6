// spec: §7.2.13 Package types
enum Mode { Fast, Slow }
package Top(bit<8> n, Mode m, bool b, string s);
Top(5, Mode.Slow, true, "text") main;
