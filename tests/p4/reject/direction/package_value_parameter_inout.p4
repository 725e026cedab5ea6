// spec: §7.2.13 Package types
package Top(inout bit<8> n); //~ ERROR
