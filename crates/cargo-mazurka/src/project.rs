//! The project of the user.

use crate::failure::Failure;
use crate::toolchain::cargo;
use serde_json::Value;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Arguments of cargo that say which project is meant.
const WHICH: [&str; 2] = ["--manifest-path", "--config"];

/// Where `target` is. All that this program writes is below `target/mazurka`.
pub(crate) fn target_folder(arguments: &[OsString]) -> Result<PathBuf, Failure> {
    let mut command = Command::new(cargo());
    command.args(["metadata", "--no-deps", "--format-version=1"]);
    let mut arguments = arguments.iter().take_while(|argument| *argument != "--");
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if WHICH.contains(&text.as_ref()) {
            command.arg(argument).args(arguments.next());
        } else if WHICH.iter().any(|name| text.starts_with(&format!("{name}="))) {
            command.arg(argument);
        }
    }
    let output = command.output().map_err(|e| Failure::new(format!("cannot run cargo: {e}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(said.trim().trim_start_matches("error: ").to_owned()));
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|e| Failure::new(format!("cannot read the output of `cargo metadata`: {e}")))?;
    match metadata["target_directory"].as_str() {
        Some(folder) => Ok(folder.into()),
        None => Err(Failure::new("`cargo metadata` does not say where `target` is")),
    }
}
