// spec: §6.4.3.3 String literals
extern void log(string s);
control C() {
    apply {
        log("simple string");
        log("string \" with \" embedded \" quotes");
        log("string with embedded
line terminator");
        log("");
        log("back\\slash \\");
        log("tab \t and // no comment /* here */");
    }
}
