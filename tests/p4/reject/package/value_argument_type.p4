// spec: §17.2 Example architecture program
package Top(bit<8> n);
Top(true) main; //~ ERROR
