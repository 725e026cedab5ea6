// spec: §8.6 Operations on strings
extern void log(string s);
const string prefix = "port " ++ "number ";
control C()(string suffix) {
    apply {
        log(prefix ++ (": " ++ "x"));
        log(prefix);
        log(suffix);
    }
}
