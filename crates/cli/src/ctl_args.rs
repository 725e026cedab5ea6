//! The arguments of `ww ctl`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `ww ctl`
#[derive(Args)]
pub struct CtlArguments {
    /// The socket that `ww run --control` listens at
    #[arg(long, short = 's', value_name = "SOCKET")]
    pub socket: PathBuf,
    /// Print the answer as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// What to ask for.
    #[command(subcommand)]
    pub command: CtlCommand,
}

/// What can be asked for.
#[derive(Subcommand)]
pub enum CtlCommand {
    /// Entries and default actions of tables
    #[command(subcommand)]
    Table(TableCommand),
    /// Members of action profiles and selectors
    #[command(subcommand)]
    Member(MemberCommand),
    /// Groups of action selectors
    #[command(subcommand)]
    Group(GroupCommand),
    /// Counters; the index of a direct one is the handle of the entry
    #[command(subcommand)]
    Counter(CounterCommand),
    /// Meters; the index of a direct one is the handle of the entry
    #[command(subcommand)]
    Meter(MeterCommand),
    /// Registers
    #[command(subcommand)]
    Register(RegisterCommand),
    /// Value sets of parsers
    #[command(subcommand)]
    ValueSet(ValueSetCommand),
    /// Mirroring sessions, the targets of clones
    #[command(subcommand)]
    Mirror(MirrorCommand),
    /// Multicast groups and their nodes
    #[command(subcommand)]
    Multicast(MulticastCommand),
    /// Digests
    #[command(subcommand)]
    Digest(DigestCommand),
    /// Ports
    #[command(subcommand)]
    Port(PortCommand),
    /// Output queues with a scheduler
    #[command(subcommand)]
    Queue(QueueCommand),
    /// The address space that TPPs read and write
    #[command(subcommand)]
    Tpp(TppMemoryCommand),
    /// Carry out BMv2's runtime commands from FILE or standard input
    Run {
        /// The commands; - for standard input
        #[arg(value_name = "FILE", default_value = "-")]
        file: PathBuf,
        /// All or nothing, and packets see none of it before all of it
        #[arg(long)]
        atomic: bool,
    },
    /// Have another program take over: tables of the same shape keep their entries
    Load {
        /// The program
        #[arg(value_name = "NEW.p4")]
        program: PathBuf,
        /// Look for included files in DIR, before our own includes
        #[arg(short = 'I', value_name = "DIR")]
        include: Vec<PathBuf>,
        /// Define the macro N as V (as 1 without V)
        #[arg(short = 'D', value_name = "N=V")]
        define: Vec<String>,
        /// Read the description of an architecture from FILE
        #[arg(long, value_name = "FILE")]
        arch: Vec<PathBuf>,
        /// Load even if entries do not fit; their tables are empty then
        #[arg(long)]
        drop_misfits: bool,
    },
    /// Print how often what packets see has changed
    Generation,
    /// Print what the program offers
    Schema,
    /// End the run, as Ctrl-C does
    Stop,
    /// Make a request of docs/control.md, written as JSON
    Call {
        /// An object with `request` and its fields
        #[arg(value_name = "JSON")]
        request: String,
    },
}

/// An entry, by its handle or its keys.
#[derive(Args)]
pub struct EntryArguments {
    /// The table
    #[arg(value_name = "TABLE")]
    pub table: String,
    /// The entry with this handle
    #[arg(long, value_name = "HANDLE")]
    pub handle: Option<u64>,
    /// Its priority, in tables that have priorities; the higher number wins
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub priority: Option<i64>,
    /// Keys, and where there is an action: `do` (or '=>'), its name and arguments
    #[arg(value_name = "WORD", allow_negative_numbers = true)]
    pub words: Vec<String>,
}

/// `ww ctl table`
#[derive(Subcommand)]
pub enum TableCommand {
    /// Add an entry: TABLE KEY.. do ACTION [ARGUMENT..], or `do member N`, `do group N`
    Add(EntryArguments),
    /// Give an entry another action: TABLE KEY.. (or --handle H) do ACTION [ARGUMENT..]
    Modify(EntryArguments),
    /// Remove an entry: TABLE KEY.. (or --handle H)
    Delete(EntryArguments),
    /// Print an entry: TABLE KEY.. (or --handle H)
    Get(EntryArguments),
    /// Print all entries and the default action
    Dump {
        /// The table
        table: String,
        /// With the direct counter of each entry
        #[arg(long)]
        counters: bool,
    },
    /// Remove all entries that are not constant
    Clear {
        /// The table
        table: String,
    },
    /// Set what happens on a miss: TABLE ACTION [ARGUMENT..]
    SetDefault {
        /// The table
        table: String,
        /// Action and arguments, `member N` or `group N`
        #[arg(required = true, allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Back to the program's default action
    ResetDefault {
        /// The table
        table: String,
    },
    /// Print the tables of the program
    List,
}

/// `ww ctl member`
#[derive(Subcommand)]
pub enum MemberCommand {
    /// Add a member; prints its handle
    Add {
        /// Action profile or selector
        profile: String,
        /// Action and arguments
        #[arg(required = true, allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Give a member another action
    Modify {
        /// Action profile or selector
        profile: String,
        /// Handle of the member
        member: u64,
        /// Action and arguments
        #[arg(required = true, allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Remove a member that nothing refers to
    Delete {
        /// Action profile or selector
        profile: String,
        /// Handle of the member
        member: u64,
    },
    /// Print all members
    List {
        /// Action profile or selector
        profile: String,
    },
}

/// `ww ctl group`
#[derive(Subcommand)]
pub enum GroupCommand {
    /// Make a group of members; prints its handle
    Create {
        /// Action selector
        profile: String,
        /// Handles of members
        members: Vec<u64>,
    },
    /// Remove a group that no entry uses
    Delete {
        /// Action selector
        profile: String,
        /// Handle of the group
        group: u64,
    },
    /// Put a member into a group
    Add {
        /// Action selector
        profile: String,
        /// Handle of the group
        group: u64,
        /// Handle of the member
        member: u64,
    },
    /// Take a member out of a group
    Remove {
        /// Action selector
        profile: String,
        /// Handle of the group
        group: u64,
        /// Handle of the member
        member: u64,
    },
    /// Print all groups
    List {
        /// Action selector
        profile: String,
    },
}

/// `ww ctl counter`
#[derive(Subcommand)]
pub enum CounterCommand {
    /// Print one cell or all
    Read {
        /// The counter
        counter: String,
        /// The cell
        index: Option<u64>,
    },
    /// Set one cell
    Write {
        /// The counter
        counter: String,
        /// The cell
        index: u64,
        /// Packets
        packets: u64,
        /// Bytes
        bytes: u64,
    },
    /// Set all cells to zero
    Reset {
        /// The counter
        counter: String,
    },
}

/// `ww ctl meter`
#[derive(Subcommand)]
pub enum MeterCommand {
    /// Print the rates of one cell or of all
    Read {
        /// The meter
        meter: String,
        /// The cell
        index: Option<u64>,
    },
    /// Set the rates: units per microsecond, and depth of the bucket in units
    Set {
        /// The meter
        meter: String,
        /// The cell, or `all`
        index: String,
        /// RATE:BURST above which packets are yellow
        committed: String,
        /// RATE:BURST above which packets are red
        peak: String,
    },
    /// Green for ever again
    Reset {
        /// The meter
        meter: String,
        /// The cell; without it, all
        index: Option<u64>,
    },
}

/// `ww ctl register`
#[derive(Subcommand)]
pub enum RegisterCommand {
    /// Print one cell or all
    Read {
        /// The register
        register: String,
        /// The cell
        index: Option<u64>,
    },
    /// Set one cell
    Write {
        /// The register
        register: String,
        /// The cell, or `all`
        index: String,
        /// The value
        #[arg(allow_negative_numbers = true)]
        value: String,
    },
    /// Set all cells to zero
    Reset {
        /// The register
        register: String,
    },
}

/// `ww ctl value-set`
#[derive(Subcommand)]
pub enum ValueSetCommand {
    /// Print all members
    List {
        /// The value set
        value_set: String,
    },
    /// Add a member
    Add {
        /// The value set
        value_set: String,
        /// One value per field
        #[arg(required = true, allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Remove a member
    Remove {
        /// The value set
        value_set: String,
        /// One value per field
        #[arg(required = true, allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Remove all members
    Clear {
        /// The value set
        value_set: String,
    },
}

/// `ww ctl mirror`
#[derive(Subcommand)]
pub enum MirrorCommand {
    /// Print all sessions
    List,
    /// Make or replace a session
    Set {
        /// Number of the session
        session: u32,
        /// Clones go to this port
        #[arg(long)]
        port: Option<u32>,
        /// Clones go to this multicast group
        #[arg(long)]
        group: Option<u16>,
        /// Clones are cut to so many bytes
        #[arg(long)]
        truncate: Option<u32>,
    },
    /// Remove a session
    Delete {
        /// Number of the session
        session: u32,
    },
}

/// `ww ctl multicast`
#[derive(Subcommand)]
pub enum MulticastCommand {
    /// Print all groups and nodes
    List,
    /// Make a group (1 to 65535) with one node that has these ports
    Create {
        /// Number of the group
        group: u16,
        /// Replication id of the node
        #[arg(long, default_value_t = 0)]
        rid: u16,
        /// Ports of the node; without them the group stays empty
        ports: Vec<u32>,
    },
    /// Remove a group; its nodes stay
    Delete {
        /// Number of the group
        group: u16,
    },
    /// Make a node; prints its handle
    NodeCreate {
        /// Put it into this group
        #[arg(long)]
        group: Option<u16>,
        /// Replication id
        #[arg(long, default_value_t = 0)]
        rid: u16,
        /// Its ports
        ports: Vec<u32>,
    },
    /// Give a node other ports
    NodeModify {
        /// Handle of the node
        node: u64,
        /// Its ports
        ports: Vec<u32>,
    },
    /// Remove a node
    NodeDelete {
        /// Handle of the node
        node: u64,
    },
}

/// `ww ctl digest`
#[derive(Subcommand)]
pub enum DigestCommand {
    /// Print digests as they come, until Ctrl-C
    Watch {
        /// End after so many
        #[arg(long, value_name = "N")]
        count: Option<u64>,
    },
}

/// `ww ctl port`
#[derive(Subcommand)]
pub enum PortCommand {
    /// Print the counters of all ports
    Show,
}

/// `ww ctl queue`
#[derive(Subcommand)]
pub enum QueueCommand {
    /// Print what the queues of all ports have seen
    Show,
}

/// `ww ctl tpp`
#[derive(Subcommand)]
pub enum TppMemoryCommand {
    /// Print words, all as of one moment
    Read {
        /// Names such as Switch:SwitchID, or numbers (`ww tpp map` lists them)
        #[arg(value_name = "ADDRESS", required = true)]
        addresses: Vec<String>,
    },
    /// Write a word: a register, or the memory of a stage
    Write {
        /// A name or a number
        address: String,
        /// 32 bits
        value: String,
    },
}
