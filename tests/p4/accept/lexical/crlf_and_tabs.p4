// spec: §6.4 Lexical constructs
const	bit<8>	a	=	1;
	const bit<8> b = a;
