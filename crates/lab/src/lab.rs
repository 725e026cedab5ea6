//! A lab: its file, opened, and what of it is to be run.

use crate::expect;
use crate::file::names::Name;
use crate::file::overrides::Override;
use crate::plan::{self, Draft, Folder, Plan};
use std::path::{Path, PathBuf};
use ww_config::mistakes::{Mistakes, Place, Report, Sources, did_you_mean};
use ww_config::reader::Reader;
use ww_config::tree::{self, Kind, Table, Value};
use ww_io::overwrite::Files;

/// The file of a lab in its folder.
pub const FILE: &str = "lab.toml";
/// Values of `[sweep]` with which [`Lab::check`] reads a lab; more are read when the sweep runs.
const CHECKED_POINTS: usize = 100;
/// Variants of a lab.
const MAX_VARIANTS: usize = 1000;

/// A lab's file and where it is.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The name of its folder.
    pub name: String,
    /// Where the files are that it names.
    pub folder: Option<PathBuf>,
    /// What the file is called in messages.
    pub file: String,
    /// What stands in the file.
    pub text: String,
}

/// What of a lab is to be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// With the settings of `[quick]`.
    pub quick: bool,
    /// `key=value`, in order; they have the last word.
    pub set: Vec<String>,
    /// The first seed, instead of the lab's.
    pub seed: Option<u64>,
}

/// A lab as it is run: once, or once for each variant.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The variants in the order of the file; one without a name if the lab has none.
    pub variants: Vec<Variant>,
}

/// A variant of a lab.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name; empty if the lab has no variants.
    pub name: String,
    /// What is run.
    pub plan: Plan,
}

impl Lab {
    /// Opens a lab: a folder with a `lab.toml`, or the file itself.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(path: &Path) -> Result<Self, Report> {
        let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
        let shown = file.display().to_string();
        let text = ww_config::text(&file)?;
        let folder = file.parent().map(|folder| match folder.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folder.to_owned(),
        });
        let named = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let is_usual = file.file_name().is_some_and(|name| name == FILE);
        let name = match is_usual {
            true => folder.as_deref().and_then(|folder| named(&folder.canonicalize().ok()?)),
            false => file.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
        };
        Ok(Self { name: name.unwrap_or_else(|| "lab".into()), folder, file: shown, text })
    }

    /// A lab of a text, which cannot name files.
    pub fn of_text(name: &str, text: &str) -> Self {
        Self { name: name.into(), folder: None, file: FILE.into(), text: text.into() }
    }

    /// The line that says what the lab is, if the file says it.
    pub fn title(&self) -> Option<String> {
        let lab = tree::parse(&self.text, 0, &Mistakes::default());
        lab.get("title").and_then(Value::text).map(str::to_owned)
    }

    /// The files that the lab is read from: its own, its expectations, and those in its folder
    /// that it names.
    pub fn files(&self) -> Files {
        let mut files = Files::default();
        let Some(folder) = &self.folder else { return files };
        files.reads("the lab", &self.file);
        files.reads("the lab's expectations", folder.join(expect::FILE));
        let mut open = vec![Kind::Table(tree::parse(&self.text, 0, &Mistakes::default()))];
        while let Some(value) = open.pop() {
            match value {
                Kind::Text(name) if folder.join(&name).is_file() => {
                    files.reads("a file of the lab", folder.join(name));
                }
                Kind::List(list) => open.extend(list.into_iter().map(|value| value.kind)),
                Kind::Table(table) => {
                    open.extend(table.entries.into_iter().map(|entry| entry.value.kind));
                }
                _ => {}
            }
        }
        files
    }

    /// Reads the lab as it is to be run.
    ///
    /// # Errors
    /// All that is wrong with the file, with the settings, or with both together.
    pub fn plan(&self, request: &Request) -> Result<Planned, Report> {
        let (mut sources, mistakes) = (Sources::default(), Mistakes::default());
        let file = sources.file(&self.file, &self.text);
        let reading = self.read(request, file, &mut sources, &mistakes);
        mistakes.report(&sources).map_or_else(|| Ok(reading.planned()), Err)
    }

    /// Reads the lab in every way that it names: as it is, quick, at the points of its sweep.
    ///
    /// # Errors
    /// All that is wrong.
    pub fn check(&self) -> Result<Planned, Report> {
        let (mut sources, mistakes) = (Sources::default(), Mistakes::default());
        let file = sources.file(&self.file, &self.text);
        let reading = self.read(&Request::default(), file, &mut sources, &mistakes);
        self.read_otherwise(file, &mut sources, &mistakes, &mut |_, _| {});
        mistakes.report(&sources).map_or_else(|| Ok(reading.planned()), Err)
    }

    /// Reads the lab in the other ways that it names: quick, and at the points of its sweep. `visit` is told of each.
    pub(crate) fn read_otherwise(
        &self,
        file: usize,
        sources: &mut Sources,
        mistakes: &Mistakes,
        visit: &mut dyn FnMut(Reading, &mut Sources),
    ) {
        let lab = tree::parse(&self.text, file, mistakes);
        if lab.get("quick").is_some() {
            mistakes.read_as("with [quick]: ");
            let quick = Request { quick: true, ..Request::default() };
            let reading = self.read(&quick, file, sources, mistakes);
            visit(reading, sources);
        }
        mistakes.read_as("with a value of [sweep]: ");
        let points = sweep(&lab, mistakes).unwrap_or_default();
        let settings = points.into_iter().flat_map(|Swept { path, place, values }| {
            let setting = move |value| Override { path: path.clone(), place: place.clone(), value };
            values.into_iter().map(setting)
        });
        for setting in settings.take(CHECKED_POINTS) {
            let mut tree = lab.clone();
            setting.apply(&mut tree, mistakes);
            visit(self.read_tree(&tree, file, &[], mistakes), sources);
        }
        mistakes.read_as("");
    }

    /// The keys of `[sweep]` with their values, as `--over` would say them: `key=a,b,c`.
    pub fn default_sweep(&self) -> Vec<(String, Vec<String>)> {
        let quiet = Mistakes::default();
        let lab = tree::parse(&self.text, 0, &quiet);
        let points = sweep(&lab, &quiet).unwrap_or_default();
        let written = |value: &Value| plan::written(value);
        points
            .into_iter()
            .map(|point| (point.path, point.values.iter().map(written).collect()))
            .collect()
    }

    /// Reads the lab as it is to be run; `file` is its text among the sources.
    pub(crate) fn read(
        &self,
        request: &Request,
        file: usize,
        sources: &mut Sources,
        mistakes: &Mistakes,
    ) -> Reading {
        let mut lab = tree::parse(&self.text, file, mistakes);
        if request.quick
            && let Some(quick) = lab.get("quick").and_then(Value::table).cloned()
        {
            for setting in Override::of_table(&quick) {
                setting.apply(&mut lab, mistakes);
            }
        }
        let mut last = Vec::new();
        for text in &request.set {
            match Override::parse(text, "--set ", sources) {
                Ok(setting) => last.push(setting),
                Err(error) => {
                    let source = sources.argument(format!("--set {text}"));
                    mistakes.add(&Place::new(source, 0..0), error);
                }
            }
        }
        if let Some(seed) = request.seed {
            last.extend(Override::parse(&format!("run.seed={seed}"), "--seed: ", sources));
        }
        self.read_tree(&lab, file, &last, mistakes)
    }

    fn read_tree(
        &self,
        lab: &Table,
        file: usize,
        last: &[Override],
        mistakes: &Mistakes,
    ) -> Reading {
        sweep(lab, mistakes);
        for key in ["quick", "sweep"] {
            if let Some(value) = lab.get(key).filter(|value| value.table().is_none()) {
                mistakes.add(&value.place, format!("expected [{key}] to be a table"));
            }
        }
        let folder = Folder(self.folder.as_deref());
        let (listed, named) = variants_of(lab, file, mistakes);
        let listed = match listed.is_empty() {
            false => listed,
            true => vec![(String::new(), Vec::new())],
        };
        let read = |(name, settings): (String, Vec<Override>)| {
            let mut tree = lab.clone();
            for setting in settings.iter().chain(last) {
                setting.apply(&mut tree, mistakes);
            }
            (name, plan::read(&tree, file, &folder, mistakes))
        };
        Reading { variants: listed.into_iter().map(read).collect(), named }
    }
}

/// A lab as it was read, with mistakes or without.
pub(crate) struct Reading {
    /// Names of variants, and what they are; one without a name if the lab has none.
    pub variants: Vec<(String, Draft)>,
    /// All variants have a name that could be read.
    pub named: bool,
}

impl Reading {
    /// What is run, if there were no mistakes.
    pub fn planned(self) -> Planned {
        let variant = |(name, draft): (String, Draft)| Variant { name, plan: draft.plan };
        Planned { variants: self.variants.into_iter().map(variant).collect() }
    }
}

/// `[[variant]]`: names, and what they set; and whether all names could be read.
fn variants_of(
    lab: &Table,
    file: usize,
    mistakes: &Mistakes,
) -> (Vec<(String, Vec<Override>)>, bool) {
    let start = Place::new(file, 0..0);
    let outer = Reader::new(lab, "the lab", &start, mistakes);
    let mut all_named = !outer.may_lack("variant");
    let mut list: Vec<(String, Vec<Override>)> = Vec::new();
    for (number, reader) in outer.tables("variant").into_iter().enumerate() {
        if number >= MAX_VARIANTS {
            mistakes.add(reader.place(), format!("more than {MAX_VARIANTS} variants"));
            break;
        }
        let name = reader.need::<Name>("name", "\"dctcp\"").map(|name| name.0);
        let set = reader.needed_value("set", "{ \"run.seed\" = 2 }");
        let table = set.and_then(|value| {
            let table = value.table();
            if table.is_none() {
                let found = value.described();
                mistakes
                    .add(&value.place, format!("'set': expected keys with values, found {found}"));
            }
            table
        });
        if let (Some(name), Some(value)) = (&name, reader.value("name"))
            && list.iter().any(|(other, _)| other == name)
        {
            mistakes.add(&value.place, format!("two variants are called '{name}'"));
        }
        reader.finish();
        let settings = table.map(Override::of_table).unwrap_or_default();
        all_named &= name.is_some();
        list.push((name.unwrap_or_default(), settings));
    }
    (list, all_named)
}

/// A key of `[sweep]`.
struct Swept {
    path: String,
    place: Place,
    values: Vec<Value>,
}

/// `[sweep]`: keys with lists of values. `None` if there is none.
fn sweep(lab: &Table, mistakes: &Mistakes) -> Option<Vec<Swept>> {
    let table = lab.get("sweep")?.table()?;
    let mut points = Vec::new();
    for setting in Override::of_table(table) {
        match setting.value.kind {
            Kind::List(values) if !values.is_empty() => {
                points.push(Swept { path: setting.path, place: setting.place, values });
            }
            _ => mistakes.add(
                &setting.value.place,
                format!("'{}': expected a list of values such as [0.2, 0.4]", setting.path),
            ),
        }
    }
    Some(points)
}

/// The lab that a word names: a path, or the name of a lab in one of the folders.
///
/// # Errors
/// There is none: with what is near.
pub fn find(word: &str, folders: &[PathBuf]) -> Result<PathBuf, String> {
    let path = Path::new(word);
    if path.is_file() || path.join(FILE).is_file() {
        return Ok(path.to_owned());
    }
    if let Some(folder) =
        folders.iter().map(|folder| folder.join(word)).find(|folder| folder.join(FILE).is_file())
    {
        return Ok(folder);
    }
    let names: Vec<String> = folders.iter().flat_map(|folder| names(folder)).collect();
    let known = names.iter().map(String::as_str).chain(crate::starter::names());
    let near = did_you_mean(word, known);
    let why = match path.is_dir() {
        true => format!("'{word}' has no {FILE}"),
        false => format!("there is no lab '{word}'"),
    };
    let advice = near.unwrap_or_else(|| "`ww lab list` shows those there are".into());
    Err(format!("{why}; {advice}"))
}

/// The labs of a folder, by name.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let labs = entries.filter(|entry| entry.path().join(FILE).is_file());
    let mut names: Vec<String> =
        labs.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The folders `labs` from a folder upwards, the nearest first.
pub fn folders(from: &Path) -> Vec<PathBuf> {
    from.ancestors().map(|folder| folder.join("labs")).filter(|folder| folder.is_dir()).collect()
}
