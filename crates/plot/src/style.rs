//! Colours and fonts.

/// Okabe and Ito's colours without black and yellow, in an order in which neighbours differ most; and what they
/// are on a dark page.
const COLOURS: [(&str, &str); 7] = [
    ("#0072b2", "#5ab4e5"),
    ("#d55e00", "#f08a3c"),
    ("#009e73", "#3cc79c"),
    ("#cc79a7", "#e39cc3"),
    ("#e69f00", "#f2bb44"),
    ("#56b4e9", "#8fd0f5"),
    ("#6b4fa0", "#a98fdc"),
];

/// How many colours there are; a series takes its number modulo this.
pub const COUNT: usize = COLOURS.len();

/// The style sheet of a figure. All names begin with `p-`, because in a page it holds for the whole page.
pub fn sheet() -> String {
    let mut light = String::from(
        ".p-bg{fill:#fff}.p-t{fill:#222;font:12px system-ui,sans-serif}.p-h{fill:#222;font:600 15px \
         system-ui,sans-serif}.p-p{fill:#222;font:600 12.5px system-ui,sans-serif}.p-s{fill:#666;font:11px \
         system-ui,sans-serif}.p-g{stroke:#e4e4e4}.p-a{stroke:#888}.p-r{stroke:#555;stroke-dasharray:2 \
         3}.p-w{stroke:#333}.p-l{fill:none;stroke-width:1.8;stroke-linejoin:round}.p-d{stroke-dasharray:6 4}\
         .p-sn{stroke:#999}.p-fn{fill:#999}",
    );
    let mut dark = String::from(
        ".p-bg{fill:#16181c}.p-t,.p-h,.p-p{fill:#e6e6e6}.p-s{fill:#a0a0a0}.p-g{stroke:#2e3238}.p-a{stroke:#80858c}\
         .p-r{stroke:#b0b0b0}.p-w{stroke:#ddd}",
    );
    for (n, (on_light, on_dark)) in COLOURS.iter().enumerate() {
        light += &format!(".p-s{n}{{stroke:{on_light}}}.p-f{n}{{fill:{on_light}}}");
        dark += &format!(".p-s{n}{{stroke:{on_dark}}}.p-f{n}{{fill:{on_dark}}}");
    }
    format!("<style>{light}@media(prefers-color-scheme:dark){{{dark}}}</style>")
}
