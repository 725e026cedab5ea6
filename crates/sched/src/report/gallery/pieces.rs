//! The pieces of the gallery: a policy file each, and how to read what it does.

/// A policy with its plot.
pub struct Piece {
    /// The name of the file, without `.svg`.
    pub name: &'static str,
    /// What is shown, above the plot.
    pub title: &'static str,
    /// One sentence: how to read it.
    pub reading: &'static str,
    /// The policy file, without the link's rate.
    pub policy: &'static str,
    /// Which flow of the scheduler a, b and c are.
    pub flows: [usize; 3],
    /// When flow a is paused and resumed, microseconds.
    pub pause: Option<(u64, u64)>,
}

/// Three flows below the root.
const ABC: [usize; 3] = [0, 1, 2];

macro_rules! flat {
    ($policy:literal, $a:literal, $b:literal, $c:literal) => {
        concat!(
            "[root]\npolicy = \"",
            $policy,
            "\"\n",
            "[[root.children]]\nname = \"a\"\n",
            $a,
            "[[root.children]]\nname = \"b\"\n",
            $b,
            "[[root.children]]\nname = \"c\"\n",
            $c,
        )
    };
}

const fn piece(
    name: &'static str,
    title: &'static str,
    policy: &'static str,
    reading: &'static str,
) -> Piece {
    Piece { name, title, reading, policy, flows: ABC, pause: None }
}

/// All of them, in the order of docs/scheduling.md.
pub const PIECES: [Piece; 17] = [
    piece(
        "fifo",
        "fifo",
        flat!("fifo", "", "", ""),
        "Whoever sends more gets more: a keeps its lead over b, and the bursts of c wait behind all that came before them.",
    ),
    piece(
        "strict",
        "strict: priority c 0, b 1, a 2",
        flat!("strict", "priority = 2\n", "priority = 1\n", "priority = 0\n"),
        "The bursts of c pass at once and alone, and a gets only what b and c leave.",
    ),
    piece(
        "aging",
        "aging: priority c 0, b 1, a 2, threshold 2 us",
        concat!(
            "[root]\npolicy = \"aging\"\nthreshold = \"2 us\"\n",
            "[[root.children]]\nname = \"a\"\npriority = 2\n",
            "[[root.children]]\nname = \"b\"\npriority = 1\n",
            "[[root.children]]\nname = \"c\"\npriority = 0\n",
        ),
        "As strict priority, but b and a still get a packet now and then while c sends, because every 2 us of waiting improve their priority by one.",
    ),
    piece(
        "drr",
        "drr: quantum a 1500, b 1500, c 3000 bytes",
        flat!("drr", "quantum = 1500\n", "quantum = 1500\n", "quantum = 3000\n"),
        "Each visit sends a quantum, so b sends two short packets in a row where a sends one, and c two long ones.",
    ),
    Piece {
        flows: [0, 1, 0],
        ..piece(
            "sfq",
            "sfq: two queues, a and c share one",
            "[root]\npolicy = \"sfq\"\nqueues = 2\n",
            "The two queues share the link equally; c was hashed to the queue of a and waits behind its packets while b is not disturbed.",
        )
    },
    piece(
        "stfq",
        "stfq: weights a 1, b 1, c 4",
        flat!("stfq", "weight = 1\n", "weight = 1\n", "weight = 4\n"),
        "c gets four parts of six while it has packets and begins at once, because its start time is the virtual time at which it comes.",
    ),
    piece(
        "wfq",
        "wfq: weights a 1, b 1, c 4",
        flat!("wfq", "weight = 1\n", "weight = 1\n", "weight = 4\n"),
        "While c was silent a and b had more than their sixth, so their finish times are ahead of virtual time, and c passes with its whole burst: they pay afterwards for what nobody else wanted.",
    ),
    piece(
        "wf2q",
        "wf2q+: weights a 1, b 1, c 4",
        flat!("wf2q+", "weight = 1\n", "weight = 1\n", "weight = 4\n"),
        "The same shares, but a packet must have begun in the fluid system before it may leave, so the packets of c are spread.",
    ),
    piece(
        "token-bucket",
        "token-bucket: a 2 Gb/s, b 3 Gb/s, c 4 Gb/s, burst 3000 bytes",
        flat!(
            "token-bucket",
            "rate = \"2 Gb/s\"\nburst = 3000\n",
            "rate = \"3 Gb/s\"\nburst = 3000\n",
            "rate = \"4 Gb/s\"\nburst = 3000\n"
        ),
        "Two packets of burst, then every line rises with the rate that was set, and the link stands still where nobody has tokens.",
    ),
    piece(
        "fair-shaper",
        "fair-shaper: a at most 2 Gb/s, b and c share the rest by weight 1 and 2",
        flat!(
            "fair-shaper",
            "rate = \"2 Gb/s\"\nburst = 3000\n",
            "rate = \"10 Gb/s\"\nweight = 1\n",
            "rate = \"10 Gb/s\"\nweight = 2\n"
        ),
        "a never rises faster than its limit, and of those that may send the fair queue chooses: shaping and order in one list.",
    ),
    piece(
        "rcsp",
        "rcsp: priority c 0, b 1, a 2; a, b, c released every 3, 2, 2.4 us",
        flat!("rcsp", "priority = 2\n", "priority = 1\n", "priority = 0\n"),
        "No packet leaves before its regulator releases it, so even the best priority sends at its own pace and leaves room for others.",
    ),
    piece(
        "sjf",
        "sjf: jobs of a 30,000 or 18,000, b 7500, c 18,000 or 9000 bytes",
        flat!("sjf", "", "", ""),
        "The flow whose job is smallest as a whole goes first: b, then c, and a in what is left.",
    ),
    piece(
        "srtf",
        "srtf: the same jobs, by bytes that are left",
        flat!("srtf", "", "", ""),
        "As the end of a job comes near it overtakes larger ones, so a job that has begun to end is not held up.",
    ),
    piece(
        "lstf",
        "lstf: slack a 30 us, b 12 us, c 6 us",
        flat!("lstf", "", "", ""),
        "Who can wait least goes first, but waiting uses up slack: old packets of a come before new ones of c.",
    ),
    piece(
        "edf",
        "edf: deadlines of jobs, a 40 us, b 16 us, c 20 us after their first packet",
        flat!("edf", "", "", ""),
        "All packets of a job have the job's deadline, so the link turns to a different job as a whole when its deadline comes first.",
    ),
    piece(
        "hierarchy",
        "wf2q+ of wf2q+: half for a and b together, half for c",
        concat!(
            "[root]\npolicy = \"wf2q+\"\n",
            "[[root.children]]\nname = \"ab\"\npolicy = \"wf2q+\"\n",
            "[[root.children.children]]\nname = \"a\"\n[[root.children.children]]\nname = \"b\"\n",
            "[[root.children]]\nname = \"c\"\n",
        ),
        "While c has packets it gets half of the link, a and b a quarter each; when c is silent, a and b have all of it.",
    ),
    Piece {
        pause: Some((10, 24)),
        ..piece(
            "pause",
            "drr, equal quanta: a paused from 10 to 24 us",
            flat!("drr", "", "", ""),
            "Between pause and resume no packet of a leaves although more of them come, the others use the link, and afterwards a gets its share again.",
        )
    },
];
