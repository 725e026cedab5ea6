// spec: §6.4.2 Comments
bi/**/t<8> f() { return 1; } //~ ERROR
