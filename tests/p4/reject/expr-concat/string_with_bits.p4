// spec: §8.6 Operations on strings
extern void log(string s);
control C() {
    apply { log("value " ++ 8w1); } //~ ERROR
}
