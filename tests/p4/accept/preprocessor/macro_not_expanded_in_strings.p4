// spec: §6.2 Preprocessing
#define hello broken !
extern void log(string s);
control C() { apply { log("hello"); } } // hello
