// spec: §6.4.3 Literal constants
const bit<48> a = 00:11:22:33:44:55; //~ ERROR 0x001122334455
const bit<48> b = 0a:1b:2c:3D:4E:5F; //~ ERROR 0x0A1B2C3D4E5F
const bit<48> c = aa:bb:cc:dd:ee:ff; //~ ERROR 0xAABBCCDDEEFF
