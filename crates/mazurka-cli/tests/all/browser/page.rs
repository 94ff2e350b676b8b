//! A page in headless Chromium.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// The browser on the `PATH`, if there is one.
fn browser() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&paths)
        .flat_map(|dir| names.map(|name| dir.join(name)))
        .find(|path| path.is_file())
}

/// A page that can be acted on.
pub struct Page {
    text: String,
    browser: PathBuf,
    width: u32,
    dark: bool,
}

/// What the script of every test begins with: errors are collected, `see` notes something, `$` and `$$` find elements.
const BEFORE: &str = "<script>
const seen = { errors: [] };
addEventListener('error', (event) => seen.errors.push(String(event.message)));
const originalError = console.error; console.error = (...words) => { seen.errors.push(words.join(' ')); originalError(...words); };
</script>";
const HELPERS: &str = "
const see = (name, value) => { seen[name] = value; };
const $ = (selector) => document.querySelector(selector);
const $$ = (selector) => [...document.querySelectorAll(selector)];
";

impl Page {
    /// The page, if there is a browser to open it with.
    pub fn of(text: &str) -> Option<Self> {
        let Some(browser) = browser() else {
            assert_ne!(
                std::env::var("CI").as_deref(),
                Ok("true"),
                "Chromium is missing, and in CI that is a failure"
            );
            eprintln!("NOTICE: skipped, Chromium is not installed");
            return None;
        };
        Some(Page {
            text: text.to_owned(),
            browser,
            width: 1280,
            dark: false,
        })
    }

    /// The same page in a window of another width.
    pub fn sized(&self, width: u32) -> Self {
        Page {
            text: self.text.clone(),
            browser: self.browser.clone(),
            width,
            dark: self.dark,
        }
    }

    /// The same page on a system whose user prefers dark colours.
    pub fn in_the_dark(&self) -> Self {
        Page {
            text: self.text.clone(),
            browser: self.browser.clone(),
            width: self.width,
            dark: true,
        }
    }

    /// Opens the page, runs the script in it and returns what it saw.
    pub fn act(&self, script: &str) -> Value {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let after = format!(
            "<script>{{{HELPERS}\ntry {{\n{script}\n}} catch (error) {{ seen.errors.push(String(error)); }}\n\
             parent.postMessage(JSON.stringify(seen), '*'); }}</script>"
        );
        let text = self
            .text
            .replacen("<head>", &format!("<head>{BEFORE}"), 1)
            .replacen("</body>", &format!("{after}</body>"), 1);
        std::fs::write(dir.path().join("page.html"), text).expect("a file in the temporary directory");
        // Chromium has no windows narrower than 500 pixels, but frames.
        let frame = format!(
            "<!doctype html><body><script>addEventListener('message', (event) => {{ const note = document.createElement('pre'); \
             note.textContent = 'SEEN' + event.data + 'SEEN'; document.body.append(note); }});</script>\
             <iframe src=\"page.html\" style=\"border:0;width:{}px;height:900px\"></iframe></body>",
            self.width
        );
        let file = dir.path().join("frame.html");
        std::fs::write(&file, frame).expect("a file in the temporary directory");
        let output = Command::new(&self.browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
            ])
            .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
            .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!self.dark)))
            .args(["--window-size=1400,1000", "--virtual-time-budget=20000", "--dump-dom"])
            .arg(format!("file://{}", file.display()))
            .output()
            .expect("the browser runs");
        let dom = String::from_utf8_lossy(&output.stdout);
        let found = dom
            .rsplit("SEEN")
            .nth(1)
            .unwrap_or_else(|| panic!("{dom:.400}\n{}", String::from_utf8_lossy(&output.stderr)));
        let json = found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        serde_json::from_str(&json).unwrap_or_else(|e| panic!("{e}: {json}"))
    }
}
