//! The file of figures.

use crate::sched_report::power_law::power_law;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// What scripts/pieo_figures.py measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Yosys without a device.
    Cells,
    /// Yosys for Xilinx 7-series.
    Luts,
    /// Placed and routed on an ECP5-85.
    Clock,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Cells, Self::Luts, Self::Clock];

    fn word(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Luts => "luts",
            Self::Clock => "clock",
        }
    }

    pub fn what(self) -> &'static str {
        match self {
            Self::Cells => "gates",
            Self::Luts => "LUTs",
            Self::Clock => "MHz",
        }
    }
}

/// What is wrong with a file of figures: a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardwareError(String);

impl fmt::Display for HardwareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is no file of scripts/pieo_figures.py: {}", self.0)
    }
}

impl std::error::Error for HardwareError {}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Points {
    points: Vec<Point>,
}

#[derive(Clone, Debug)]
struct Point {
    kind: Kind,
    module: String,
    n: u64,
    values: Value,
}

/// Reads a file.
///
/// # Errors
/// It is no JSON, or a point has no kind, module or number of elements.
pub fn parse(text: &str) -> Result<Points, HardwareError> {
    let file: Value =
        serde_json::from_str(text).map_err(|error| HardwareError(error.to_string()))?;
    let list =
        file["points"].as_array().ok_or_else(|| HardwareError("there are no 'points'".into()))?;
    let point = |(number, values): (usize, &Value)| {
        let wrong = |what| HardwareError(format!("point {number} has no {what}"));
        let word = values["kind"].as_str().unwrap_or_default();
        let kind = Kind::ALL.into_iter().find(|kind| kind.word() == word);
        let kind = kind.ok_or_else(|| wrong("kind 'cells', 'luts' or 'clock'"))?;
        let module = values["module"].as_str().ok_or_else(|| wrong("module"))?.to_owned();
        let n = values["n"].as_u64().filter(|n| (2..=1 << 24).contains(n));
        let n = n.ok_or_else(|| wrong("n of 2 to 16,777,216"))?;
        Ok(Point { kind, module, n, values: values.clone() })
    };
    Ok(Points { points: list.iter().enumerate().map(point).collect::<Result<_, _>>()? })
}

impl Points {
    /// Modules with points: those that are known first, in their order.
    pub fn modules(&self) -> Vec<&str> {
        let all: BTreeSet<&str> = self.points.iter().map(|point| point.module.as_str()).collect();
        let known = super::KNOWN.iter().map(|(name, _)| *name).filter(|name| all.contains(name));
        let mut names: Vec<&str> = known.collect();
        let more: Vec<&str> = all.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(more);
        names
    }

    /// Numbers of elements with a figure of some kind, in order.
    pub fn sizes(&self, module: &str) -> Vec<u64> {
        let of = self.points.iter().filter(|p| p.module == module && p.values["failed"].is_null());
        of.map(|point| point.n).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn point(&self, kind: Kind, module: &str, n: u64) -> Option<&Value> {
        let mut of = self.points.iter();
        of.find(|p| (p.kind, p.module.as_str(), p.n) == (kind, module, n)).map(|p| &p.values)
    }

    /// A figure.
    pub fn value(&self, kind: Kind, module: &str, n: u64, key: &str) -> Option<f64> {
        self.point(kind, module, n)?[key].as_f64()
    }

    /// Whether there is a figure.
    pub fn has(&self, kind: Kind, module: &str, n: u64) -> bool {
        self.point(kind, module, n).is_some_and(|values| values["failed"].is_null())
    }

    /// Why there is none.
    pub fn failure(&self, kind: Kind, module: &str, n: u64) -> Option<&str> {
        self.point(kind, module, n)?["failed"].as_str()
    }

    /// All figures of a module, by number of elements.
    pub fn series(&self, kind: Kind, module: &str, key: &str) -> Vec<(f64, f64)> {
        let at = |n| Some((n as f64, self.value(kind, module, n, key)?));
        self.sizes(module).into_iter().filter_map(at).collect()
    }

    /// Exponent and factor of growth from `least` elements on.
    pub fn growth(&self, kind: Kind, module: &str, key: &str, least: f64) -> Option<(f64, f64)> {
        let mut points = self.series(kind, module, key);
        points.retain(|&(n, _)| n >= least);
        power_law(&points)
    }

    /// Days and tools, and whose sources have changed between points.
    pub fn provenance(&self) -> String {
        let of = |key: &str| -> BTreeSet<&str> {
            self.points.iter().filter_map(|point| point.values[key].as_str()).collect()
        };
        let (days, tools) = (of("day"), of("tools"));
        let days = match (days.first(), days.last()) {
            (Some(first), Some(last)) if first == last => format!("on {first}"),
            (Some(first), Some(last)) => format!("from {first} to {last}"),
            _ => "on a day that is not known".into(),
        };
        let several = |module: &&str| {
            let own = self.points.iter().filter(|point| point.module == *module);
            own.filter_map(|point| point.values["source"].as_str()).collect::<BTreeSet<_>>().len()
                > 1
        };
        let changed: Vec<&str> = self.modules().into_iter().filter(several).collect();
        let versions = match changed.is_empty() {
            true => String::new(),
            false => format!(
                "; points of {} are of different versions of the sources",
                changed.join(", ")
            ),
        };
        format!("{days}, with {}{versions}", tools.into_iter().collect::<Vec<_>>().join("; "))
    }

    /// As in the file.
    pub fn json(&self) -> Value {
        self.points.iter().map(|point| point.values.clone()).collect()
    }
}
