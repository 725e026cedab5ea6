// spec: §7.5 typedef
typedef Unknown U; //~ ERROR unknown
