//! Reports for browsers: one page for each test, in the folder that the user names.

use super::Test;
use mazurka_report::Summary;
use std::env;
use std::path::PathBuf;

/// The folder for reports.
const FOLDER: &str = "MAZURKA_REPORT";

/// Writes the report of a test, if reports are wanted.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write(test: &Test, summary: impl FnOnce() -> Summary) -> Result<(), String> {
    let Some(folder) = env::var_os(FOLDER).filter(|folder| !folder.is_empty()) else {
        return Ok(());
    };
    let file = PathBuf::from(folder).join(format!("{}.html", test.file_name()));
    page(&summary()).and_then(|page| {
        let folder = file.parent().unwrap_or(&file);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&file, page))
            .map_err(|e| format!("{FOLDER}: cannot write {}: {e}", file.display()))
    })
}

#[cfg(feature = "html")]
fn page(summary: &Summary) -> Result<String, String> {
    Ok(mazurka_report::html::render(summary))
}

#[cfg(not(feature = "html"))]
fn page(_summary: &Summary) -> Result<String, String> {
    Err(format!(
        "{FOLDER}: reports need the feature `html` of the crate `mazurka`, or `cargo mazurka report`"
    ))
}
