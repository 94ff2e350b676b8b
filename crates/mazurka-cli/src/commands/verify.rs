//! `mazurka verify`: whether a certificate proves what it says about a program.

use crate::certify::{check, sentence};
use crate::cli::VerifyArgs;
use crate::exit::Exit;
use crate::frontends::load;
use crate::output::{paint, print};
use crate::refusal::Refusal;
use mazurka_certificate::{Evidence, Proved, Verified};
use mazurka_report::units::{counted, duration};
use std::time::Instant;

/// Checks the certificate.
pub fn run(args: &VerifyArgs) -> Result<Exit, Refusal> {
    let session = load(&args.program)?;
    let begun = Instant::now();
    let verified = check(&session, &args.certificate).map_err(Refusal::new)?;
    let elapsed = duration(begun.elapsed());
    session.trusted()?;
    let fails = match &verified.proved {
        Proved::Complete(claims) => !claims.failures.is_empty(),
        _ => true,
    };
    if args.json {
        print(&format!("{}\n", json(&verified, &session.name)));
    } else if !args.quiet {
        let paint = paint(args.ascii);
        let title = paint.text(&session.name);
        print(&match &verified.proved {
            Proved::Complete(claims) => format!(
                "{}: {title} has {}, {} and {}\n",
                paint.good("verified"),
                counted(claims.executions, "execution"),
                counted(claims.final_states, "final state"),
                match claims.failures.len() {
                    0 => "nothing fails".to_owned(),
                    n => counted(n as u64, "failure"),
                },
            ),
            _ => format!("{}: {title} fails\n", paint.good("verified")),
        });
        let (Proved::Violation(failures) | Proved::Complete(mazurka_certificate::Claims { failures, .. })) = &verified.proved else {
            return Ok(Exit::Complete);
        };
        for failure in failures {
            let at = failure.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            print(&format!("   {}{at}: {}\n", failure.kind.name(), paint.text(&failure.message)));
        }
        print(&format!("   {}{} {elapsed}\n", sentence(&verified), paint.dot()));
    }
    Ok(if fails { Exit::Violation } else { Exit::Complete })
}

/// One JSON object.
fn json(verified: &Verified, name: &str) -> serde_json::Value {
    let (executions, final_states, deadlocks, failures) = match &verified.proved {
        Proved::Complete(c) => (Some(c.executions), Some(c.final_states), Some(c.deadlocks), c.failures.as_slice()),
        Proved::Violation(failures) => (None, None, None, failures.as_slice()),
        _ => (None, None, None, &[][..]),
    };
    let failures: Vec<_> = failures
        .iter()
        .map(|f| serde_json::json!({"kind": f.kind.name(), "message": f.message, "at": f.at.as_ref().map(ToString::to_string)}))
        .collect();
    let (reversals, states) = match verified.evidence {
        Evidence::Closed { reversals } => (Some(reversals), None),
        Evidence::Merged { states, .. } | Evidence::States { states, .. } => (None, Some(states)),
        _ => (None, None),
    };
    serde_json::json!({
        "schema": "mazurka-verified/1", "program": name, "algorithm": verified.algorithm, "complete": executions.is_some(),
        "executions": executions, "distinct_final_states": final_states, "deadlocks": deadlocks, "failures": failures,
        "steps": verified.steps, "reversals": reversals, "states": states, "swapped": verified.swapped,
        "verified": sentence(verified),
    })
}
