// SPDX-License-Identifier: Apache-2.0
//
// The P4_16 core library (language specification 1.2.5, appendix "P4 core
// library"): the declarations that the language itself relies on and that
// every architecture shares.

#ifndef _CORE_P4_
#define _CORE_P4_

// What can go wrong while parsing (P4_16 section 8.2 and chapter 13).
error {
    NoError,               // nothing went wrong
    PacketTooShort,        // extract, lookahead or advance past the last bit
    NoMatch,               // select without a matching case
    StackOutOfBounds,      // .next or .last outside a header stack
    HeaderTooShort,        // a varbit field longer than its declared maximum
    ParserTimeout,         // the parser took more steps than it may
    ParserInvalidArgument  // an argument that the target cannot honour
}

// The bits of the packet under parsing, with a cursor.
extern packet_in {
    // Copies the next bits into a header of fixed size, makes it valid and
    // moves the cursor behind them.
    void extract<T>(out T hdr);

    // The same for a header with exactly one varbit field; the second
    // argument is the length of that field in bits.
    void extract<T>(out T variableSizeHeader,
                    in bit<32> variableFieldSizeInBits);

    // The next bits as a value of type T; the cursor stays where it is.
    T lookahead<T>();

    // Moves the cursor over that many bits.
    void advance(in bit<32> sizeInBits);

    // Length of the whole packet in bytes.
    bit<32> length();
}

// The packet under construction in a deparser.
extern packet_out {
    // Appends a header if it is valid; stacks, unions and structs member by
    // member in order of declaration.
    void emit<T>(in T hdr);
}

// Parsers only: goes to state reject with error toSignal unless check holds.
extern void verify(in bool check, in error toSignal);

// The action that changes nothing.
@noWarn("unused")
action NoAction() {}

// The match kinds that the language itself defines.
match_kind {
    exact,    // all bits equal
    ternary,  // value and mask; overlaps are decided by priority
    lpm       // longest prefix wins
}

// Judged at compile time: a false check ends compilation with the message.
// The result lets it stand where only a constant initialiser may stand.
extern bool static_assert(bool check, string message);
extern bool static_assert(bool check);

#endif
