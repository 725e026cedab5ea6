// spec: §6.4 Lexical constructs
// Übergröße: comments may hold any characters
extern void log(string s);
control C() {
    apply { log("höher → weiter"); }
}
