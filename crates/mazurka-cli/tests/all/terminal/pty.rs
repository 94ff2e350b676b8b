//! The binary on a terminal of the test's own, and what a person would see there.

use crate::support::Desk;
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a program that runs on it.
pub struct Pty {
    keyboard: File,
    terminal: File,
    child: Child,
    output: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

impl Pty {
    /// Runs the words of a line on a terminal of this width.
    pub fn run(desk: &Desk, line: &str, width: u16, environment: &[(&str, &str)]) -> Self {
        let mut command = desk.command();
        command
            .args(line.split_whitespace())
            .env("TERM", "xterm")
            .envs(environment.iter().copied());
        Self::spawn(command, width, |command, end| {
            command.stdin(end()).stdout(end()).stderr(end());
        })
    }

    /// The same, with standard output in a pipe: only errors and progress reach the terminal.
    pub fn run_piped(desk: &Desk, line: &str, width: u16) -> Self {
        let mut command = desk.command();
        command.args(line.split_whitespace()).env("TERM", "xterm");
        Self::spawn(command, width, |command, end| {
            command.stdin(end()).stdout(Stdio::piped()).stderr(end());
        })
    }

    fn spawn(mut command: Command, width: u16, connect: impl Fn(&mut Command, &dyn Fn() -> Stdio)) -> Self {
        // No other program that a test starts meanwhile may inherit the terminal: it would keep it open.
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let keyboard = openpt(flags).expect("a terminal");
        grantpt(&keyboard).expect("a terminal of our own");
        unlockpt(&keyboard).expect("a terminal to be opened");
        let name = ptsname(&keyboard, Vec::new()).expect("a terminal with a name");
        let terminal = File::options()
            .read(true)
            .write(true)
            .custom_flags(OFlags::NOCTTY.bits().cast_signed())
            .open(OsStr::from_bytes(name.as_bytes()))
            .expect("a terminal that opens");
        let size = Winsize {
            ws_row: 40,
            ws_col: width,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&terminal, size).expect("a terminal of this width");
        connect(&mut command, &|| Stdio::from(terminal.try_clone().expect("the terminal again")));
        let child = command.spawn().expect("the binary runs");
        let keyboard = File::from(keyboard);
        let mut screen = keyboard.try_clone().expect("the terminal again");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // At the end Linux reports an error rather than the end of the file.
            while let Ok(n) = screen.read(&mut buffer) {
                if n == 0 || sender.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Pty {
            keyboard,
            terminal,
            child,
            output,
            seen: Vec::new(),
        }
    }

    /// Whether the terminal shows what is typed and hands it on line by line, as it does without a program that wants it otherwise.
    pub fn echoes(&self) -> bool {
        let settings = tcgetattr(&self.terminal).expect("the settings of the terminal");
        settings
            .local_modes
            .contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }

    /// Types keys.
    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the keys are typed");
    }

    /// Waits for the text to appear in what was not looked at yet, and returns everything up to it.
    pub fn wait_for(&mut self, text: &str) -> String {
        loop {
            let seen = String::from_utf8_lossy(&self.seen).into_owned();
            if let Some(at) = seen.find(text) {
                let end = at + text.len();
                self.seen.drain(..end);
                return seen[..end].to_owned();
            }
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(_) => panic!("`{text}` did not appear, only `{seen}`"),
            }
        }
    }

    /// Waits for the program to end. Returns its exit code, what else it wrote on the terminal, and what it wrote into its pipe.
    pub fn finish(mut self) -> (i32, String, String) {
        let piped = self.child.stdout.take().map(|mut out| {
            std::thread::spawn(move || {
                let mut piped = String::new();
                out.read_to_string(&mut piped).expect("standard output is UTF-8");
                piped
            })
        });
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the program ends") {
                break status;
            }
            if begin.elapsed() > PATIENCE {
                self.child.kill().expect("the program is ended");
                panic!("the program does not end; it wrote `{}`", String::from_utf8_lossy(&self.seen));
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        // With nobody left on the terminal, the reader comes to its end.
        drop(self.terminal);
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.seen.extend(bytes);
        }
        let piped = piped.map_or(String::new(), |reader| reader.join().expect("what was written into the pipe"));
        (status.code().unwrap_or(-1), String::from_utf8_lossy(&self.seen).into_owned(), piped)
    }
}

/// A screen that is written to: lines, and where the cursor is.
pub struct Screen {
    width: usize,
    lines: Vec<Vec<char>>,
    row: usize,
    column: usize,
}

impl Screen {
    /// An empty one.
    pub fn new(width: u16) -> Self {
        Screen {
            width: usize::from(width),
            lines: vec![Vec::new()],
            row: 0,
            column: 0,
        }
    }

    /// Shows text. Colours are left out; other escape sequences are not known here, so that a test notices when one is used.
    pub fn show(&mut self, text: &str) {
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            match c {
                '\r' => self.column = 0,
                '\n' => self.row += 1,
                '\u{1b}' => {
                    let sequence: String = rest.by_ref().take_while(|c| *c != 'm').collect();
                    assert!(sequence.starts_with('['), "an unknown escape sequence: {sequence:?}");
                }
                c => {
                    if self.column == self.width {
                        (self.row, self.column) = (self.row + 1, 0);
                    }
                    self.put(c);
                }
            }
            if self.lines.len() <= self.row {
                self.lines.resize(self.row + 1, Vec::new());
            }
        }
    }

    fn put(&mut self, c: char) {
        if self.lines.len() <= self.row {
            self.lines.resize(self.row + 1, Vec::new());
        }
        let line = &mut self.lines[self.row];
        if line.len() <= self.column {
            line.resize(self.column + 1, ' ');
        }
        line[self.column] = c;
        self.column += 1;
    }

    /// The lines without what is blank at their ends.
    pub fn lines(&self) -> Vec<String> {
        self.lines
            .iter()
            .map(|l| l.iter().collect::<String>().trim_end().to_owned())
            .collect()
    }
}
