//! One client: its messages are carried out and answered.

use super::answer::answer;
use super::digests::{Hub, Subscription};
use super::plane::{Current, Plane};
use super::protocol::{Change, Message, Request, parse, read_change};
use super::step::{Made, Step, apply_all};
use super::{Failed, Replaceable, resolve};
use crate::line_server::{Service, Session, Writer, refusal};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;

/// Most changes that wait in open transactions, of all clients together.
const MOST_QUEUED: usize = 8 << 20;

/// What all connections share.
pub(super) struct Common<C> {
    pub plane: Plane<C>,
    pub hub: Arc<Hub>,
    pub queued: AtomicUsize,
}

/// An open transaction.
struct Open {
    current: Arc<Current>,
    steps: Vec<Step>,
}

/// A client that is connected.
pub(super) struct Connection<C> {
    common: Arc<Common<C>>,
    writer: Writer,
    open: Option<Open>,
    subscription: Option<Subscription>,
}

/// A refusal: the message, and which change of a transaction it is about.
struct Refusal {
    message: String,
    change: Option<usize>,
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self { message, change: None }
    }
}

impl<C: Replaceable + 'static> Service for Common<C> {
    type Session = Connection<C>;

    fn open(self: &Arc<Self>, writer: Writer) -> Connection<C> {
        Connection { common: Arc::clone(self), writer, open: None, subscription: None }
    }

    fn log(&self, message: &str) {
        self.plane.log(message);
    }
}

impl<C: Replaceable> Session for Connection<C> {
    fn message(&mut self, line: &[u8]) -> Result<(), String> {
        let (id, message) = parse(line);
        let result = message.map_err(Refusal::from).and_then(|m| self.carry_out(&id, m));
        result.or_else(|refusal| self.refuse(&id, &refusal))
    }
}

impl<C> Drop for Connection<C> {
    fn drop(&mut self) {
        self.close_transaction();
    }
}

impl<C> Connection<C> {
    /// Forgets the open transaction, if there is one, and says how many changes it had.
    fn close_transaction(&mut self) -> Option<usize> {
        let open = self.open.take()?;
        self.common.queued.fetch_sub(open.steps.len(), Ordering::Relaxed);
        Some(open.steps.len())
    }
}

impl<C: Replaceable> Connection<C> {
    fn refuse(&self, id: &Value, refused: &Refusal) -> Result<(), String> {
        let mut answer = refusal(id, &refused.message);
        if let Some(change) = refused.change {
            answer["error"]["change"] = change.into();
        }
        self.writer.answer(answer.to_string())
    }

    fn reply(&self, id: &Value, result: Value, more: bool) -> Result<(), String> {
        let mut object = Map::from_iter([
            ("id".to_owned(), id.clone()),
            ("ok".to_owned(), true.into()),
            ("result".to_owned(), result),
        ]);
        if more {
            object.insert("more".to_owned(), true.into());
        }
        let written = self.writer.line(Value::Object(object).to_string());
        written.map_err(|error| format!("the answer could not be written: {error}"))
    }

    fn carry_out(&mut self, id: &Value, message: Message) -> Result<(), Refusal> {
        let result = match message {
            Message::Change(change) => self.change(*change)?,
            Message::Request(request) => match *request {
                Request::Stop {} => {
                    // The answer first: the process may be gone afterwards.
                    self.reply(id, json!({}), false)?;
                    return Ok(self.common.plane.stop()?);
                }
                Request::Transaction { changes } => self.transaction(changes)?,
                Request::Begin {} => self.begin()?,
                Request::Commit {} => self.commit()?,
                Request::Abort {} => match self.close_transaction() {
                    Some(count) => json!({ "dropped": count }),
                    None => return Err("there is no open transaction".to_owned().into()),
                },
                Request::Script { text, atomic } => self.script(text, atomic)?,
                Request::Digests { subscribe } => {
                    self.subscription =
                        subscribe.then(|| self.common.hub.subscribe(self.writer.clone()));
                    json!({ "subscribed": subscribe })
                }
                Request::Load(request) => {
                    if self.open.is_some() {
                        return Err("a transaction is open: commit or abort it first"
                            .to_owned()
                            .into());
                    }
                    let (program, inherited) = self.common.plane.load(&request)?;
                    let tables: Map<String, Value> =
                        inherited.tables.into_iter().map(|(name, n)| (name, n.into())).collect();
                    json!({ "program": program, "tables": tables, "dropped": inherited.dropped })
                }
                reading => {
                    let mut emit = |value, more| self.reply(id, value, more);
                    return Ok(answer(&self.common.plane, reading, &mut emit)?);
                }
            },
        };
        Ok(self.reply(id, result, false)?)
    }

    /// One change: at once, or kept for the open transaction.
    fn change(&mut self, change: Change) -> Result<Value, Refusal> {
        if let Some(open) = &self.open {
            let step = resolve::change(&open.current.schema, change)?;
            return self.enqueue(vec![step]);
        }
        let current = self.common.plane.current();
        let step = resolve::change(&current.schema, change)?;
        let handle = if step.is_composite() {
            carry_out_all(&self.common.plane, &current, &[step])
                .map_err(|refusal| refusal.message)?
                .pop()
                .flatten()
        } else {
            step.apply(&mut *self.common.plane.ledger_of(&current)?, &[])?
        };
        Ok(handle.map_or_else(|| json!({}), |handle| json!({ "handle": handle })))
    }

    fn transaction(&mut self, changes: Vec<Map<String, Value>>) -> Result<Value, Refusal> {
        let current = match &self.open {
            Some(open) => Arc::clone(&open.current),
            None => self.common.plane.current(),
        };
        let mut steps = Vec::with_capacity(changes.len());
        for (n, change) in changes.into_iter().enumerate() {
            let step = read_change(change).and_then(|c| resolve::change(&current.schema, c));
            steps.push(step.map_err(|message| Refusal { message, change: Some(n) })?);
        }
        if self.open.is_some() {
            return self.enqueue(steps);
        }
        let handles = carry_out_all(&self.common.plane, &current, &steps)?;
        Ok(json!({ "handles": handles }))
    }

    fn begin(&mut self) -> Result<Value, Refusal> {
        if self.open.is_some() {
            return Err("a transaction is open already".to_owned().into());
        }
        self.open = Some(Open { current: self.common.plane.current(), steps: Vec::new() });
        Ok(json!({}))
    }

    /// Keeps changes for the open transaction.
    fn enqueue(&mut self, steps: Vec<Step>) -> Result<Value, Refusal> {
        let Some(open) = &mut self.open else {
            return Err("there is no open transaction".to_owned().into());
        };
        let before = self.common.queued.fetch_add(steps.len(), Ordering::Relaxed);
        if before + steps.len() > MOST_QUEUED {
            self.common.queued.fetch_sub(steps.len(), Ordering::Relaxed);
            let message = format!("more than {MOST_QUEUED} changes wait in open transactions");
            return Err(message.into());
        }
        open.steps.extend(steps);
        Ok(json!({ "queued": open.steps.len() }))
    }

    fn commit(&mut self) -> Result<Value, Refusal> {
        let Some(open) = self.open.take() else {
            return Err("there is no open transaction".to_owned().into());
        };
        self.common.queued.fetch_sub(open.steps.len(), Ordering::Relaxed);
        let handles = carry_out_all(&self.common.plane, &open.current, &open.steps)?;
        // Nobody wants a million numbers in a line.
        Ok(match handles.len() {
            0..=10_000 => json!({ "changes": handles.len(), "handles": handles }),
            count => json!({ "changes": count }),
        })
    }

    /// Runtime commands of BMv2.
    fn script(&mut self, text: String, atomic: bool) -> Result<Value, Refusal> {
        if self.open.is_some() {
            let message = "a transaction is open: commands cannot be part of it, use `atomic`";
            return Err(message.to_owned().into());
        }
        let mut sources = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let file = sources.add(Path::new("commands"), text, false);
        let script = crate::entries::parse(file, &sources, &mut diagnostics);
        let plane = &self.common.plane;
        let surroundings = plane.surroundings();
        let mut output = Vec::new();
        if atomic {
            if !diagnostics.has_errors() {
                let mut ledger = plane.ledger();
                let done = ledger.transaction(|ledger| {
                    output = script.apply(ledger, &surroundings, &mut diagnostics);
                    match diagnostics.has_errors() {
                        true => Err(String::new()),
                        false => Ok(()),
                    }
                });
                match done {
                    Ok(()) | Err(Failed::Work(_)) => (),
                    Err(other) => return Err(other.to_string().into()),
                }
            }
            if diagnostics.has_errors() {
                output.clear();
            }
        } else {
            output = script.apply(&mut *plane.ledger(), &surroundings, &mut diagnostics);
        }
        let report = crate::diagnostics::to_json(&diagnostics, &sources);
        Ok(json!({
            "commands": script.len(),
            "output": output,
            "errors": report["errors"],
            "diagnostics": report["diagnostics"],
            "rendered": diagnostics.render(&sources, false),
        }))
    }
}

/// Carries out changes, all or none.
fn carry_out_all<C: Replaceable>(
    plane: &Plane<C>,
    current: &Current,
    steps: &[Step],
) -> Result<Made, Refusal> {
    let done = apply_all(&mut *plane.ledger_of(current)?, steps);
    done.map_err(|failed| match failed {
        Failed::Work((change, message)) => Refusal { message, change: Some(change) },
        Failed::Stuck(error) => error.to_string().into(),
    })
}
