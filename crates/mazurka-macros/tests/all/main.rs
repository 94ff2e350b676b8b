//! Wrong uses of `#[mazurka::test]` are refused with a message at the right place.

use std::path::PathBuf;
use std::process::Command;

/// Each line with what the compiler says about it.
const WRONG: [(&str, &str); 12] = [
    (
        "#[test(second = 60)] fn a() {}",
        "no option `second`; expected one of `seconds`, `executions`",
    ),
    ("#[test(seconds = \"60\")] fn b() {}", "expected `seconds = 60`"),
    ("#[test(executions)] fn c() {}", "expected `executions = 10_000`"),
    ("#[test(algorithm = source)] fn d() {}", "expected `algorithm = \"source\"`"),
    ("#[test(complete, complete)] fn e() {}", "`complete` is given twice"),
    ("#[test(complete = true)] fn f() {}", "expected `complete`"),
    ("#[test] fn g(x: u32) {}", "a test has no arguments"),
    ("#[test] fn h<T>() {}", "a test cannot be generic"),
    ("#[test] unsafe fn i() {}", "a test cannot be `unsafe`"),
    ("#[test] struct J;", "belongs to a function"),
    ("#[test] #[::core::prelude::v1::test] fn k() {}", "leave `#[test]` out"),
    ("#[test(executions = -1)] fn l() {}", "expected `executions = 10_000`"),
];

/// The library of the macro, beside this program.
fn library() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let files = std::fs::read_dir(program.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let name = format!("{}mazurka_macros-", std::env::consts::DLL_PREFIX);
    let libraries = files.filter(|path| {
        let file = path.file_name().unwrap().to_string_lossy();
        file.starts_with(&name) && file.ends_with(std::env::consts::DLL_SUFFIX)
    });
    libraries.max_by_key(|path| path.metadata().unwrap().modified().unwrap()).unwrap()
}

#[test]
fn wrong_uses_are_refused_where_they_are() {
    let folder = std::env::temp_dir().join(format!("mazurka-macros-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("wrong.rs");
    let lines = WRONG.map(|(line, _)| line).join("\n");
    std::fs::write(&source, format!("use mazurka_macros::test;\n{lines}\n")).unwrap();
    let output = Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()))
        .args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            "--error-format=short",
            "--test",
        ])
        .arg(format!("--extern=mazurka_macros={}", library().display()))
        .arg(format!("--out-dir={}", folder.display()))
        .arg(&source)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    for (at, (line, message)) in WRONG.iter().enumerate() {
        let place = format!("wrong.rs:{}:", at + 2);
        let found = said.lines().any(|line| line.contains(&place) && line.contains(message));
        assert!(found, "nothing like `{message}` for `{line}`:\n{said}");
    }
    assert!(said.contains(&format!("aborting due to {} previous errors", WRONG.len())), "{said}");
}
