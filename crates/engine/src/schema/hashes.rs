//! The hash algorithms that a program names. The enum comes from the architecture's file, which a
//! user may replace: a member that no engine computes is refused when the program is loaded.

use crate::arch::{ExternFunction, Unsupported};
use ww_p4::ir::visit;
use ww_p4::ir::{Callee, Const, Expr, ExprKind, Program, Type};
use ww_packet::hash::Hash;

/// Whether engines compute an algorithm, by the name of its member of `HashAlgorithm`.
fn is_known(algorithm: &str) -> bool {
    algorithm == "random" || Hash::by_name(algorithm).is_some()
}

/// The error for an algorithm of `place`, unless it is known.
pub fn known(algorithm: &str, place: &str) -> Result<(), Unsupported> {
    match is_known(algorithm) {
        true => Ok(()),
        false => Err(Unsupported::new(format!("hash algorithm `{algorithm}` of {place}"))),
    }
}

/// Looks at the algorithm of each call that hashes: a member of a plain enum, and if it is chosen
/// while packets flow, any of its members.
pub fn check_calls(program: &Program) -> Result<(), Unsupported> {
    let mut first = Ok(());
    visit::calls(program, |call| {
        let Callee::ExternFunction(id) = call.callee else { return };
        let name = &program[id].signature.name;
        let Some(at) = ExternFunction::by_name(name).and_then(algorithm_position) else { return };
        let argument = call.arguments.iter().find(|argument| argument.parameter == at);
        let Some(algorithm) = argument.and_then(|argument| argument.value.as_ref()) else { return };
        if first.is_ok() {
            first = check(program, algorithm, &format!("`{name}`"));
        }
    });
    first
}

fn check(program: &Program, algorithm: &Expr, place: &str) -> Result<(), Unsupported> {
    let Type::Enum(id) = algorithm.ty else {
        let ty = program.types.display(&algorithm.ty);
        return Err(Unsupported::new(format!("a hash algorithm of type {ty} in {place}")));
    };
    let members = &program.types[id].members;
    match &algorithm.kind {
        ExprKind::Const(Const::Member(member)) => {
            members.get(*member as usize).map_or(Ok(()), |member| known(&member.name, place))
        }
        _ => members.iter().try_for_each(|member| known(&member.name, place)),
    }
}

/// The parameter of a function that is the algorithm.
fn algorithm_position(function: ExternFunction) -> Option<u32> {
    Some(match function {
        ExternFunction::Hash => 1,
        ExternFunction::VerifyChecksum
        | ExternFunction::VerifyChecksumWithPayload
        | ExternFunction::UpdateChecksum
        | ExternFunction::UpdateChecksumWithPayload => 3,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::schema;
    use std::path::Path;
    use ww_p4::frontend::compile_text;
    use ww_p4::preprocess::Options;

    /// A program with these statements in its ingress and this object, against a v1model.p4 whose
    /// `xor16` is called `sha1`.
    fn load(object: &str, statements: &str) -> Result<(), String> {
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/include/v1model.p4");
        let ours = std::fs::read_to_string(ours).expect("the tree has it");
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("v1model.p4"), ours.replace("xor16", "sha1"))
            .expect("the folder is writable");
        let options =
            Options { include_dirs: vec![folder.path().to_path_buf()], ..Options::default() };
        let text = format!(
            "#include <core.p4>
             #include <v1model.p4>
             struct headers_t {{}}
             struct metadata_t {{ bit<16> value; bit<4> member; }}
             parser P(packet_in p, out headers_t h, inout metadata_t m, inout standard_metadata_t s) {{
                 state start {{ transition accept; }}
             }}
             control V(inout headers_t h, inout metadata_t m) {{ apply {{}} }}
             control I(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) {{
                 action pick(bit<4> member) {{ m.member = member; }}
                 {object}
                 apply {{ {statements} }}
             }}
             control E(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) {{ apply {{}} }}
             control C(inout headers_t h, inout metadata_t m) {{ apply {{}} }}
             control D(packet_out p, in headers_t h) {{ apply {{}} }}
             V1Switch(P(), V(), I(), E(), C(), D()) main;"
        );
        let compilation = compile_text(Path::new("hashes.p4"), text, &options);
        let shown = compilation.diagnostics.render(&compilation.sources, false);
        assert!(!compilation.diagnostics.has_errors(), "{shown}");
        schema::of(&compilation.program).map(drop).map_err(|error| error.to_string())
    }

    fn hash(algorithm: &str) -> String {
        format!("hash(m.value, {algorithm}, 16w0, {{ m.value }}, 16w7);")
    }

    #[test]
    fn known_algorithms_are_accepted() {
        for algorithm in ["crc32", "crc16_custom", "random", "identity", "csum16"] {
            let statements = hash(&format!("HashAlgorithm.{algorithm}"));
            assert_eq!(load("", &statements), Ok(()), "{algorithm}");
        }
    }

    #[test]
    fn unknown_algorithms_are_refused() {
        let refused = |place: &str| Err(format!("not supported: hash algorithm `sha1` of {place}"));
        assert_eq!(load("", &hash("HashAlgorithm.sha1")), refused("`hash`"));
        // Any member may come.
        let chosen = format!(
            "HashAlgorithm a = HashAlgorithm.crc16;
             if (m.value == 1) a = HashAlgorithm.csum16;
             {}",
            hash("a")
        );
        assert_eq!(load("", &chosen), refused("`hash`"));
        let object = "action_selector(HashAlgorithm.sha1, 32w16, 32w4) members;
                      table t {
                          key = { m.value : selector; }
                          actions = { pick; }
                          implementation = members;
                      }";
        assert_eq!(load(object, "t.apply();"), refused("`I.members`"));
    }
}
