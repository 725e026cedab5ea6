//! dev only
use ww_lab::lab::{Lab, Request};
use ww_lab::world::netns;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut out = std::io::stdout();
    let r = match (args[1].as_str(), args.get(2).map(String::as_str)) {
        ("lab", Some("element")) => netns::element::run(std::io::stdin(), &mut out),
        ("lab", Some("switch")) => netns::switch::run(std::io::stdin(), &mut out),
        ("lab", Some("host")) => netns::agent::run(std::io::stdin(), &mut out),
        ("clean", _) => netns::system::clean().map(|names| println!("{names:?}")),
        ("run", Some(path)) => (|| {
            let lab = Lab::open(std::path::Path::new(path)).map_err(|e| e.to_string())?;
            let planned = lab.plan(&Request { set: args[4..].to_vec(), ..Request::default() }).map_err(|e| e.to_string())?;
            let ww = match std::env::var("WW") { Ok(w) => w.into(), _ => std::env::current_exe().unwrap() };
            let setting = netns::Setting { ww: &ww, notice: &|t| eprintln!("note: {t}"), watch: &|_| true };
            let plan = &planned.variants[0].plan;
            let show = |o: ww_lab::world::sim::Outcome| for (k, v) in o.numbers.list { if std::env::var("ALL").is_ok() || !k.contains(&"drops".to_string()) { println!("{} = {v}", k.join(".")) } };
            if std::env::var("SIM").is_ok() {
                println!("--- sim");
                show(ww_lab::world::sim::run(plan, plan.run.seed, &(), None, &mut |_| true)?);
                println!("--- netns");
            }
            show(netns::run(plan, plan.run.seed, Some(std::path::Path::new(&args[3])), &setting)?);
            Ok(())
        })(),
        _ => Err("?".into()),
    };
    if let Err(e) = r { eprintln!("error: {e}"); std::process::exit(1) }
}
