//! Values of the program in C: integers up to 32 bits, longer ones as bytes in network order.

use super::super::plan::INTEGER_BITS;

/// The type of an integer of so many bits.
pub fn integer(width: u32) -> &'static str {
    match width {
        0..=8 => "uint8_t",
        9..=16 => "uint16_t",
        17..=32 => "uint32_t",
        _ => "uint64_t",
    }
}

/// Bytes of a value.
pub fn bytes(width: u32) -> u32 {
    width.div_ceil(8)
}

/// A value as an argument of a function.
pub fn argument(name: &str, width: u32) -> String {
    match width <= INTEGER_BITS {
        true => format!("{} {name}", integer(width)),
        false => format!("const uint8_t {name}[{}]", bytes(width)),
    }
}

/// A value as a member of a structure, with what is to be known of it.
pub fn member(name: &str, width: u32) -> String {
    let comment = format!("{width} bit{}", if width == 1 { "" } else { "s" });
    match width <= INTEGER_BITS {
        true => format!("{} {name}; /* {comment} */", integer(width)),
        false => format!("uint8_t {name}[{}]; /* {comment}, network order */", bytes(width)),
    }
}

/// The call that puts a value into a vector.
pub fn put(vector: &str, offset: u32, width: u32, value: &str) -> String {
    let function = if width <= INTEGER_BITS { "ww_put" } else { "ww_put_bytes" };
    format!("{function}({vector}, {offset}, {width}, {value})")
}

/// The statement that takes a value out of a vector.
pub fn get(vector: &str, offset: u32, width: u32, to: &str) -> String {
    match width <= INTEGER_BITS {
        true => format!("{to} = ({})ww_get({vector}, {offset}, {width});", integer(width)),
        false => format!("ww_get_bytes({vector}, {offset}, {width}, {to});"),
    }
}

/// A constant array of bytes, as an expression.
pub fn constant(bytes: &[u8]) -> String {
    let list: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
    format!("(const uint8_t[]){{{}}}", list.join(", "))
}

/// A text as a string literal.
pub fn literal(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' '..='~' => quoted.push(c),
            _ => quoted.push('?'),
        }
    }
    quoted.push('"');
    quoted
}

/// A text within a comment.
pub fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}
