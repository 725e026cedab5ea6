//! Tokens: what the preprocessor hands to the parser.

use crate::ast::{Name, NumberWidth};
use crate::source::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// Declares an enumeration whose members have a fixed spelling.
macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($member:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $member,)*
        }

        impl $name {
            /// The spelling in a program.
            pub fn text(self) -> &'static str {
                match self { $($name::$member => $text,)* }
            }

            /// The member with that spelling.
            pub fn from_text(text: &str) -> Option<Self> {
                match text { $($text => Some($name::$member),)* _ => None }
            }
        }
    };
}

spelled! {
    /// Reserved words (Appendix B). Some may still serve as names, see
    /// [`Keyword::is_name`].
    Keyword {
        Abstract "abstract",
        Action "action",
        Actions "actions",
        Apply "apply",
        Bit "bit",
        Bool "bool",
        Break "break",
        Const "const",
        Continue "continue",
        Control "control",
        Default "default",
        Else "else",
        Entries "entries",
        Enum "enum",
        Error "error",
        Exit "exit",
        Extern "extern",
        False "false",
        For "for",
        Header "header",
        HeaderUnion "header_union",
        If "if",
        In "in",
        InOut "inout",
        Int "int",
        Key "key",
        List "list",
        MatchKind "match_kind",
        Out "out",
        Package "package",
        Parser "parser",
        Priority "priority",
        Return "return",
        Select "select",
        State "state",
        String "string",
        Struct "struct",
        Switch "switch",
        Table "table",
        This "this",
        Transition "transition",
        True "true",
        Tuple "tuple",
        Type "type",
        Typedef "typedef",
        ValueSet "value_set",
        Varbit "varbit",
        Void "void",
    }
}

impl Keyword {
    /// Whether the grammar's `nonTypeName` admits the word, so that it can name a variable, an
    /// action, a field and so on where no ambiguity arises.
    pub fn is_name(self) -> bool {
        matches!(
            self,
            Keyword::Apply
                | Keyword::Key
                | Keyword::Actions
                | Keyword::State
                | Keyword::Entries
                | Keyword::Type
                | Keyword::Priority
        )
    }
}

spelled! {
    /// Operators and punctuation.
    Punct {
        ParenOpen "(",
        ParenClose ")",
        BracketOpen "[",
        BracketClose "]",
        BraceOpen "{",
        BraceClose "}",
        InvalidHeader "{#}",
        Semicolon ";",
        Colon ":",
        Comma ",",
        Dot ".",
        Range "..",
        Dots "...",
        Question "?",
        At "@",
        DontCare "_",
        Assign "=",
        Eq "==",
        Ne "!=",
        Lt "<",
        Gt ">",
        Le "<=",
        Ge ">=",
        Shl "<<",
        Shr ">>",
        Plus "+",
        Minus "-",
        Star "*",
        Slash "/",
        Percent "%",
        SatPlus "|+|",
        SatMinus "|-|",
        Concat "++",
        And "&",
        Or "|",
        Xor "^",
        Tilde "~",
        Not "!",
        LogicalAnd "&&",
        LogicalOr "||",
        Mask "&&&",
        PlusAssign "+=",
        MinusAssign "-=",
        StarAssign "*=",
        SlashAssign "/=",
        PercentAssign "%=",
        ShlAssign "<<=",
        ShrAssign ">>=",
        AndAssign "&=",
        OrAssign "|=",
        XorAssign "^=",
        SatPlusAssign "|+|=",
        SatMinusAssign "|-|=",
        Hash "#",
        HashHash "##",
    }
}

/// A number with its spelling.
#[derive(Debug, PartialEq, Eq)]
pub struct Number {
    /// The value, never negative.
    pub value: BigInt,
    /// The prefix such as `8w`.
    pub width: Option<NumberWidth>,
    /// As written.
    pub text: Name,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name that is no reserved word.
    Identifier(Name),
    /// A reserved word.
    Keyword(Keyword),
    /// An integer literal.
    Number(Arc<Number>),
    /// A string literal, decoded.
    String(Name),
    /// An operator or punctuation.
    Punct(Punct),
    /// What is no token of the language; it stands only within an annotation, which may hold it.
    Unknown(Name),
    /// The end of a line that held `@pragma`.
    EndPragma,
    /// The end of the program; always the last token.
    End,
}

/// One token of a preprocessed program.
#[derive(Clone, Debug)]
pub struct Token {
    /// Which.
    pub kind: TokenKind,
    /// Where; for the result of a macro, the macro's use.
    pub span: Span,
    /// Whether it is the first of its line, which helps the parser to go on after an error.
    pub line_start: bool,
}

impl TokenKind {
    /// The words with which a message names the token.
    pub fn describe(&self) -> String {
        match self {
            TokenKind::Identifier(name) => format!("'{name}'"),
            TokenKind::Keyword(word) => format!("reserved word '{}'", word.text()),
            TokenKind::Number(number) => format!("number {}", shorten(&number.text)),
            TokenKind::String(text) => format!("string \"{}\"", shorten(text).escape_debug()),
            TokenKind::Punct(punct) => format!("'{}'", punct.text()),
            TokenKind::Unknown(text) => format!("'{}'", shorten(text).escape_debug()),
            TokenKind::EndPragma => "end of line".to_owned(),
            TokenKind::End => "end of file".to_owned(),
        }
    }
}

/// At most 30 characters of a text, for messages.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(30) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text.to_owned(),
    }
}
