//! `ww phy pace`: frames at their times on a real interface, and how exact that was.

use crate::Failure;
use crate::output::print;
use crate::phy_args::PaceArguments;
use serde_json::{Value, json};
use ww_runtime::pace::{Exactness, Settings, measure};

const QUANTILES: [(&str, f64); 5] =
    [("p1", 0.01), ("p50", 0.5), ("p99", 0.99), ("p99_9", 0.999), ("largest", 1.0)];

/// Sends frames and prints how late they were, and how far apart they came where somebody listens.
pub fn pace(arguments: &PaceArguments) -> Result<(), Failure> {
    let period = (8 + u64::from(arguments.len) + arguments.ipg) as f64 * 0.8;
    let settings = Settings {
        interface: &arguments.interface,
        listen: arguments.listen.as_deref(),
        count: arguments.count,
        length: arguments.len as usize,
        period,
    };
    let Exactness { late, heard } = measure(&settings)?;
    let late = Spread::of(late);
    let heard = heard.map(|heard| (heard.frames, Spread::of(heard.kernel), Spread::of(heard.user)));
    if arguments.json {
        let mut figures = json!({
            "len": arguments.len,
            "ipg": arguments.ipg,
            "ipd_ns": period,
            "sent": arguments.count,
            "late_ns": late.json(),
        });
        if let Some((heard, kernel, user)) = &heard {
            figures["heard"] = json!(heard);
            figures["kernel_ipd_ns"] = kernel.json();
            figures["user_ipd_ns"] = user.json();
        }
        return print(&format!("{figures:#}\n"));
    }
    let mut text = format!(
        "{} frames of {} bytes, one each {period:.1} ns\ngiven to the kernel late by, ns: {}\n",
        arguments.count,
        arguments.len,
        late.text()
    );
    if let Some((heard, kernel, user)) = &heard {
        text += &format!(
            "heard {heard}; from one to the next, ns\n  by the kernel: {}\n  by this process: {}\n",
            kernel.text(),
            user.text()
        );
    }
    print(&text)
}

/// Values and how they are spread.
struct Spread(Vec<f64>);

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    fn moments(&self) -> Option<(f64, f64)> {
        let count = self.0.len() as f64;
        let mean = self.0.iter().sum::<f64>() / count;
        let squares = self.0.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        (count > 0.0).then(|| (mean, (squares / count).sqrt()))
    }

    /// In the order of names: mean, deviation, quantiles.
    fn figures(&self) -> Vec<(&'static str, f64)> {
        let Some((mean, sigma)) = self.moments() else { return Vec::new() };
        let quantile = |share: f64| self.0[(share * (self.0.len() - 1) as f64).round() as usize];
        let quantiles = QUANTILES.map(|(name, share)| (name, quantile(share)));
        [("mean", mean), ("sigma", sigma)].into_iter().chain(quantiles).collect()
    }

    fn json(&self) -> Value {
        self.figures().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
    }

    fn text(&self) -> String {
        let figures = self.figures();
        let texts: Vec<String> =
            figures.iter().map(|(name, value)| format!("{name} {value:.0}")).collect();
        texts.join(", ")
    }
}
