// spec: §7.2.1 Enumeration types
enum bit<8> Base { Zero = 0 }
enum Base Level { Low = Base.Zero } //~ ERROR
