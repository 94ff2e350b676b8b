//! Other pages are kept out, nonsense is survived, and what nobody waits for is stopped.

use super::client::Served;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A search that takes longer than any test.
fn endless(run: &str) -> Value {
    json!({ "name": "litmus:writers", "options": ["--set", "n=12", "--algorithm", "naive", "--timeout", "10m"], "run": run })
}

fn status(answer: &str) -> &str {
    answer.split_whitespace().nth(1).unwrap_or("nothing")
}

#[test]
fn only_the_page_of_the_server_may_ask() {
    let served = Served::new();
    let good = served.question("programs", "{}");
    assert_eq!(status(&served.raw(good.as_bytes())), "200");
    let own = format!("Host: {}", served.host);
    let port = served.host.rsplit(':').next().unwrap();
    for (from, to, what) in [
        (own.clone(), format!("Host: evil.example:{port}"), "another host"),
        (
            format!("Origin: http://{}", served.host),
            "Origin: http://evil.example".to_owned(),
            "another origin",
        ),
        (format!("Origin: http://{}\r\n", served.host), String::new(), "no origin"),
        (served.path.clone(), "/".to_owned(), "no token"),
        (
            served.path.clone(),
            "/00000000000000000000000000000000/".to_owned(),
            "another token",
        ),
    ] {
        let bad = good.replacen(&from, &to, 1);
        assert_ne!(bad, good, "{what}");
        let answer = served.raw(bad.as_bytes());
        assert_eq!(status(&answer), "403", "{what}: {answer}");
        assert!(!answer.contains("philosophers"), "{what}");
    }
    let page = served.raw(format!("GET {} HTTP/1.1\r\n{own}\r\nConnection: close\r\n\r\n", served.path).as_bytes());
    for header in [
        "content-security-policy: default-src 'none'",
        "referrer-policy: no-referrer",
        "frame-ancestors 'none'",
    ] {
        assert!(page.contains(header), "{page:.900}");
    }
    assert!(
        !page.contains("//cdn") && !page.contains("https://"),
        "nothing is loaded from elsewhere"
    );
}

#[test]
fn malformed_questions_are_errors_and_the_server_goes_on() {
    let served = Served::new();
    let texts = [
        "",
        "{",
        "[]",
        "null",
        "7",
        "\"x\"",
        "{\"name\":7}",
        "{\"name\":\"\"}",
        "{\"name\":\"x\",\"options\":7}",
        "\u{0}",
        "{\"run\":{}}",
    ];
    for what in [
        "check", "compare", "walk", "graph", "program", "stop", "nonsense", "", "../check", "%00",
    ] {
        for text in texts {
            let answer = served.raw(served.question(what, text).as_bytes());
            assert!(
                answer.contains("\"error\"") || answer.contains("\"findings\"") || answer.starts_with("HTTP/1.1 4"),
                "{what} {text}: {answer}"
            );
        }
    }
    let philosophers = |more: Value| {
        let mut asked = json!({ "name": "litmus:philosophers" });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        asked
    };
    for (what, asked, expected) in [
        (
            "check",
            philosophers(json!({ "options": ["--report", "x.html"] })),
            "belong to the command line",
        ),
        (
            "check",
            philosophers(json!({ "options": ["--save-schedule", "x"] })),
            "belong to the command line",
        ),
        (
            "compare",
            philosophers(json!({ "options": ["--report", "x.html"] })),
            "belong to the command line",
        ),
        (
            "check",
            philosophers(json!({ "options": ["--algorthm", "optimal"] })),
            "did you mean",
        ),
        (
            "check",
            philosophers(json!({ "options": ["--checkpoint", "x"] })),
            "belong to the command line",
        ),
        (
            "check",
            philosophers(json!({ "options": ["--cluster", "nats://localhost:1"] })),
            "belongs to the command line",
        ),
        // Executions would be graphs: what is searched here says nothing about them.
        (
            "check",
            philosophers(json!({ "options": ["--model", "rc11"] })),
            "interleavings only",
        ),
        (
            "check",
            json!({ "name": "a.pml", "text": "#include \"/etc/hostname\"" }),
            "does not read",
        ),
        (
            "program",
            json!({ "name": "a.pml", "text": "#/**/include \"/etc/hostname\"" }),
            "does not read",
        ),
        ("check", json!({ "name": "/etc/passwd.abs" }), "the page has no text"),
        ("check", json!({ "name": "a.litmus", "text": "p:[x=speed]" }), "speed"),
        (
            "walk",
            philosophers(json!({ "steps": [["0", 0], ["0", 7]] })),
            "the program has changed",
        ),
        ("walk", philosophers(json!({ "steps": 7 })), "`steps` must be a list"),
        ("walk", philosophers(json!({ "then": "dance" })), "expected nothing, end"),
    ] {
        let answered = served.ask(what, &asked);
        let text = answered.last().map(Value::to_string).unwrap_or_default();
        assert!(text.contains(expected), "{what} {asked}: {text}");
    }
    // Random bytes, and random changes of what would be understood.
    let mut dice = 2026u64;
    let mut roll = |sides: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % sides
    };
    let question = served.question("walk", &philosophers(json!({ "steps": [["0", 0]], "then": "end" })).to_string());
    let requests = std::env::var("REQUESTS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    for _ in 0..requests {
        let mut bytes = question.clone().into_bytes();
        for _ in 0..=roll(6) {
            let at = roll(bytes.len());
            match roll(3) {
                0 => bytes[at] = roll(256) as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, roll(256) as u8),
            }
        }
        served.hang_up(&bytes);
    }
    let good = served.ask("walk", &philosophers(json!({})));
    assert_eq!(good[0]["moves"].as_array().map(Vec::len), Some(3), "{good:?}");
}

/// Waits until no such run is known any more.
fn ended(served: &Served, run: &str) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        // A stop of what has ended is an error; this one must not be what ends it.
        let answer = served.raw(served.question("stop", &json!({ "run": run }).to_string()).as_bytes());
        if status(&answer) == "404" {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

#[test]
fn a_run_is_stopped_by_its_name_with_what_it_found_so_far() {
    let served = Served::new();
    let question = served.question("check", &endless("mine").to_string());
    let mut stream = served.send(question.as_bytes());
    let mut first = [0; 1];
    std::io::Read::read_exact(&mut stream, &mut first).expect("an answer begins");
    assert!(ended(&served, "mine"));
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut stream, &mut rest).expect("the answer ends");
    assert!(rest.contains("\"verdict\":\"incomplete\""), "{rest:.2000}");
}

#[test]
fn what_a_closed_page_asked_for_ends_and_makes_room() {
    let served = Served::new();
    // As many as are answered at once: if they went on, nothing else would be answered.
    let streams: Vec<_> = (0..32)
        .map(|n| {
            let mut stream = served.send(served.question("check", &endless(&format!("run {n}")).to_string()).as_bytes());
            let mut first = [0; 1];
            std::io::Read::read_exact(&mut stream, &mut first).expect("an answer begins");
            stream
        })
        .collect();
    let answer = served.raw(served.question("programs", "{}").as_bytes());
    assert_eq!(status(&answer), "503", "{answer:.300}");
    drop(streams);
    let begun = Instant::now();
    while status(&served.raw(served.question("programs", "{}").as_bytes())) != "200" {
        assert!(begun.elapsed() < Duration::from_secs(60), "the runs of closed pages go on");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn ten_pages_at_once_are_answered() {
    let served = Served::new();
    std::thread::scope(|scope| {
        for _ in 0..10 {
            scope.spawn(|| {
                let answered = served.ask("check", &json!({ "name": "litmus:philosophers" }));
                assert_eq!(answered.last().unwrap()["verdict"], "violation");
            });
        }
    });
}
