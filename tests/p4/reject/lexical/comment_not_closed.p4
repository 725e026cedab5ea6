// spec: §6.4.2 Comments
const bit<8> a = 1;
/* this comment never ends //~ ERROR comment
