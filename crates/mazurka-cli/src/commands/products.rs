//! `mazurka check --product all`: every product of a product line, one after the other, and a table of their verdicts.

use super::check::search;
use crate::cli::{CheckArgs, OutputArgs};
use crate::exit::Exit;
use crate::frontends::{abs, load_paranoid};
use crate::output::{print, print_error};
use crate::refusal::Refusal;

/// Checks all products that the model names.
pub fn run(args: &CheckArgs) -> Result<Exit, Refusal> {
    text_only(&args.output)?;
    let names = abs::products(&args.program)?;
    if names.is_empty() {
        return Err(Refusal::new(format!("`{}` names no products", args.program.program)));
    }
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut table = String::new();
    let mut worst = Exit::Complete;
    for name in names {
        let mut program = args.program.clone();
        program.product = Some(name.clone());
        if !args.output.quiet {
            print(&format!("product {name}\n"));
        }
        let exit = match load_paranoid(&program, args.paranoid) {
            Ok(session) => search(args, &session)?,
            Err(refusal) => {
                print_error(&format!("{refusal}\n"));
                Exit::Usage
            }
        };
        if !args.output.quiet {
            print("\n");
        }
        table.push_str(&format!("   {name:width$}  {}\n", word(exit)));
        worst = if rank(exit) > rank(worst) { exit } else { worst };
    }
    if !args.output.quiet {
        print(&format!("products of {}\n{table}", args.program.program));
    }
    Ok(worst)
}

fn word(exit: Exit) -> &'static str {
    match exit {
        Exit::Complete => "complete",
        Exit::Violation => "violation",
        Exit::Incomplete => "incomplete",
        Exit::Usage | Exit::Disagreement => "refused",
    }
}

/// What decides how the command ends: a product that is no program, then a failure, then what was not covered.
fn rank(exit: Exit) -> u8 {
    match exit {
        Exit::Complete => 0,
        Exit::Incomplete => 1,
        Exit::Violation => 2,
        Exit::Usage | Exit::Disagreement => 3,
    }
}

/// Files and JSON are about one program.
fn text_only(out: &OutputArgs) -> Result<(), Refusal> {
    let files = [&out.report, &out.junit, &out.sarif, &out.dot, &out.save_schedule, &out.certificate];
    if out.json || out.json_lines || files.into_iter().any(Option::is_some) {
        return Err(Refusal::new(
            "`--product all` prints text only; name one product to get files or JSON",
        ));
    }
    Ok(())
}
