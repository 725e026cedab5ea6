// spec: §6.4.2 Comments
const /* a */ bit /* b */ < /* c */ 8 /* d */ > x // e
    = /* f */ 1 /**/ ; /***/
/* a // b */ const bit<8> y = 2; // c /* d
