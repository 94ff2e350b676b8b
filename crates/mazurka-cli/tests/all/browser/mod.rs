//! The HTML report in headless Chromium: it loads without errors, shows what it should, and can be used with mouse and keyboard.
//!
//! A copy of the report gets a script of the test's own, which acts on the page and writes what it sees into the document; the browser
//! dumps the document, and the test reads it. Without Chromium the tests are skipped with a notice; with CI=true that is a failure.

mod page;
mod source;

use crate::support::Desk;
use page::Page;

/// A program with an assertion that fails, its report in the browser.
fn bank() -> Option<Page> {
    let desk = Desk::new();
    desk.write(
        "bank.litmus",
        "init balance=100;\nalice:[l=balance]\n      [if (l>=80) { balance=balance-80 }]\nbob:[l=balance]\n    [if (l>=80) { balance=balance-80 }]\n\
         audit:[assert balance>=0 \"overdrawn\"]\n",
    );
    desk.run("check bank.litmus --algorithm optimal --keep-going --final-states --quiet --report r.html");
    Page::of(&desk.read("r.html"))
}

#[test]
fn a_failure_is_a_diagram_with_source_and_state() {
    let Some(page) = bank() else { return };
    let seen = page.act(
        "see('lifelines', $$('.lifeline').map(l => l.dataset.column));
         see('steps', $$('.step').map(s => s.getAttribute('aria-label')));
         see('race', $$('.diagram .racing path').length + ' ' + $$('.step.race').length);
         see('fails', $$('.step.fails').length);
         see('verdict', $('.badge').textContent);
         see('source line', $('.source .here').textContent);
         see('finals', $$('#finals tbody tr').length);
         see('nonsense', ['null', 'undefined', 'NaN', '[object'].filter(w => document.querySelector('main').innerText.includes(w)));",
    );
    assert_eq!(seen["nonsense"], serde_json::json!([]));
    assert_eq!(seen["errors"], serde_json::json!([]));
    assert_eq!(seen["lifelines"], serde_json::json!(["bob", "alice", "audit"]));
    assert_eq!(seen["steps"].as_array().map(Vec::len), Some(5));
    assert_eq!(seen["steps"][4], "step 5, audit: assert balance>=0 \"overdrawn\", fails");
    assert_eq!((&seen["race"], &seen["fails"]), (&"1 2".into(), &1.into()));
    assert_eq!(seen["verdict"], "violation");
    assert!(seen["source line"].as_str().unwrap().contains("audit:[assert"), "{seen}");
    assert_eq!(seen["finals"], 4);
}

#[test]
fn a_failure_says_all_that_the_terminal_says_and_can_be_taken_along() {
    let Some(page) = bank() else { return };
    let seen = page.act(
        "see('values', $$('[data-step=\"step 0\"] .value').map(v => v.textContent));
         see('failing', $('.source .failing').textContent);
         const link = $('a[download]');
         const schedule = JSON.parse(decodeURIComponent(link.href.split(',').slice(1).join(',')));
         see('schedule', [schedule.schema, schedule.steps.length, schedule.program]);
         see('hidden', getComputedStyle($('.before')).display);
         [...document.querySelectorAll('button')].find(b => b.textContent === 'what happens before what').click();
         see('shown', [getComputedStyle($('.before')).display, $$('.before path').length > 3]);
         see('command', $('footer code').textContent);
         see('date', /20[0-9][0-9]-[0-9][0-9]-[0-9][0-9] .* UTC/.test($('#made-at').textContent));
         see('scroll box', $('.diagram').classList.contains('whole'));
         [...document.querySelectorAll('#finals button')][1].click();
         see('sample', $('#samples h2').textContent);
         see('steps', $$('#samples .step').length);",
    );
    assert_eq!(seen["errors"], serde_json::json!([]));
    assert_eq!(seen["values"], serde_json::json!(["reads balance = 100", "bob.l: 0 → 100"]));
    assert!(seen["failing"].as_str().unwrap().contains("audit:[assert"), "{seen}");
    assert_eq!(seen["schedule"], serde_json::json!(["mazurka/schedule/1", 5, "bank.litmus"]));
    assert_eq!(seen["hidden"], "none");
    assert_eq!(seen["shown"], serde_json::json!(["inline", true]));
    assert!(seen["command"].as_str().unwrap().starts_with("mazurka check bank.litmus"), "{seen}");
    assert_eq!(seen["date"], true);
    assert_eq!(seen["scroll box"], true, "it is as tall as it is");
    assert_eq!(seen["sample"], "An execution to final state 2");
    assert_eq!(seen["steps"], 5);
}

#[test]
fn clicking_a_step_shows_its_line_and_what_changed_there() {
    let Some(page) = bank() else { return };
    let seen = page.act(
        "$('[data-step=\"step 2\"]').dispatchEvent(new MouseEvent('click', { bubbles: true }));
         see('title', $('.details h3').textContent);
         see('line', $('.source .here').textContent);
         see('changed', $$('tr.changed').map(r => r.textContent));
         see('focused', document.activeElement.getAttribute('aria-label'));
         see('current', $$('[aria-current=step]').length);",
    );
    assert_eq!(seen["errors"], serde_json::json!([]));
    assert_eq!(seen["title"], "Step 3 of 5: alice");
    assert!(seen["line"].as_str().unwrap().contains("if (l>=80)"), "{seen}");
    assert_eq!(seen["changed"], serde_json::json!(["balance20 (was 100)"]));
    assert!(seen["focused"].as_str().unwrap().starts_with("step 3, alice"), "{seen}");
    assert_eq!(seen["current"], 1);
}

#[test]
fn the_keyboard_walks_through_the_steps_and_jumps_to_the_race() {
    let Some(page) = bank() else { return };
    let seen = page.act(
        "const title = () => $('.details h3').textContent;
         const press = (key) => $('.diagram').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
         press('Home'); see('home', title());
         press('ArrowRight'); see('right', title());
         press('End'); see('end', title());
         press('r'); see('race', title());
         press('r'); see('other', title());
         press('ArrowLeft'); see('left', title());
         see('announced', $('[aria-live]').textContent);",
    );
    assert_eq!(seen["errors"], serde_json::json!([]));
    for (key, step) in [("home", 1), ("right", 2), ("end", 5), ("race", 1), ("other", 3), ("left", 2)] {
        assert!(
            seen[key].as_str().unwrap().starts_with(&format!("Step {step} of 5")),
            "{key}: {seen}"
        );
    }
    assert_eq!(seen["announced"], seen["left"]);
}

#[test]
fn a_deadlock_shows_who_waits_for_whom() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --algorithm optimal --quiet --report r.html");
    let Some(page) = Page::of(&desk.read("r.html")) else { return };
    let seen = page.act(
        "see('waits', $$('.diagram .waiting').map(w => w.dataset.from + ' to ' + w.dataset.to));
         $('[data-step=\"wait 1\"]').dispatchEvent(new MouseEvent('click', { bubbles: true }));
         see('about', $('.details').textContent);",
    );
    assert_eq!(seen["errors"], serde_json::json!([]));
    let expected = [
        "philosopher0 to philosopher1",
        "philosopher1 to philosopher2",
        "philosopher2 to philosopher0",
    ];
    assert_eq!(seen["waits"], serde_json::json!(expected));
    assert!(seen["about"].as_str().unwrap().contains("part of a cycle of waiting"), "{seen}");
}

#[test]
fn messages_between_actors_are_arrows() {
    let desk = Desk::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks/abs/philosophers.abs");
    desk.write("philosophers.abs", &std::fs::read_to_string(root).unwrap());
    desk.run("check philosophers.abs --quiet --report r.html");
    let Some(page) = Page::of(&desk.read("r.html")) else { return };
    let seen = page.act(
        "see('messages', $$('.diagram .message').map(m => m.dataset.from + ' to ' + m.dataset.to));
         see('handled', $$('.diagram .message[data-handled]').map(m => m.dataset.to + ' ' + $('[data-step=\"step ' + (m.dataset.handled - 1) + '\"]').getAttribute('aria-label')));
         see('heads', $$('.heads span').length - $$('.lifeline').length);",
    );
    assert_eq!(seen["errors"], serde_json::json!([]));
    let messages = seen["messages"].as_array().unwrap();
    assert!(
        messages.iter().any(|m| m == "main to Philosopher 3") && messages.iter().any(|m| m == "Philosopher 3 to Fork 2"),
        "{seen}"
    );
    assert_eq!(seen["heads"], 0);
    // An arrow ends at a step of the actor that it goes to.
    let handled = seen["handled"].as_array().unwrap();
    assert!(handled.len() >= 6, "{seen}");
    for arrow in handled {
        let (to, step) = arrow.as_str().unwrap().split_once(" step ").unwrap();
        assert!(step.contains(&format!(", {to}.")), "{arrow}");
    }
}

#[test]
fn a_tree_of_ten_thousand_nodes_has_few_rows_and_is_searched() {
    let desk = Desk::new();
    desk.run("check litmus:writers --set n=8 --algorithm optimal --quiet --report r.html");
    let Some(page) = Page::of(&desk.read("r.html")) else { return };
    let seen = page.act(
        "see('title', $('#tree h2').textContent);
         [...document.querySelectorAll('#tree button')].find(b => b.textContent === 'open all').click();
         see('height', $('.tree > div').style.height);
         see('rows', $$('.tree .row').length);
         const field = $('#tree-search'); field.value = 'finished'; field.dispatchEvent(new Event('input'));
         see('found', $('#tree [role=status]').textContent);
         field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
         see('hit', $('.tree .row.current').textContent);
         see('path', $('#tree p[aria-live]').textContent);
         const press = (key) => $('.tree').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
         press('Home'); press('ArrowLeft');
         see('closed', $$('.tree .row').length + ' ' + $('.tree .row').getAttribute('aria-expanded'));",
    );
    assert_eq!(seen["errors"], serde_json::json!([]));
    let nodes: u32 = seen["title"]
        .as_str()
        .unwrap()
        .chars()
        .filter(char::is_ascii_digit)
        .collect::<String>()
        .parse()
        .unwrap();
    assert!(nodes >= 10_000, "{seen}");
    assert_eq!(
        seen["height"],
        format!("{}px", nodes * 24),
        "every node has its row when all are open"
    );
    assert!(seen["rows"].as_u64().unwrap() < 100, "only those that can be seen exist: {seen}");
    assert!(seen["found"].as_str().unwrap().ends_with("matches"), "{seen}");
    assert!(seen["hit"].as_str().unwrap().contains("finished"), "{seen}");
    assert!(seen["path"].as_str().unwrap().starts_with("8 steps from the start"), "{seen}");
    assert_eq!(seen["closed"], "1 false");
}

#[test]
fn compare_has_a_table_and_a_chart() {
    let desk = Desk::new();
    desk.run("compare litmus:readers --set n=4 --algorithms naive,source,optimal --json --report r.html");
    let Some(page) = Page::of(&desk.read("r.html")) else { return };
    let seen = page.act(
        "see('rows', $$('#comparison tbody tr').map(r => r.children[0].textContent + ' ' + r.children[2].textContent));
         see('bars', $$('.chart g').map(g => g.dataset.algorithm));
         const widths = $$('.chart rect').map(r => Number(r.getAttribute('width')));
         see('order', widths[0] > widths[1] && widths[1] === widths[2]);
         const measure = $('#measure'); measure.value = 'steps'; measure.dispatchEvent(new Event('change'));
         see('title', $('.chart title').textContent);",
    );
    assert_eq!(seen["errors"], serde_json::json!([]));
    assert_eq!(seen["rows"], serde_json::json!(["naive 120", "source 16", "optimal 16"]));
    assert_eq!(seen["bars"], serde_json::json!(["naive", "source", "optimal"]));
    assert_eq!(seen["order"], true);
    assert_eq!(seen["title"], "steps of each algorithm, on a logarithmic scale");
}

/// Every kind of report: one per front end, a failed assertion and deadlocks, a comparison, a large tree.
fn every_kind() -> Vec<(&'static str, String)> {
    let desk = Desk::new();
    let benchmarks = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks");
    for file in ["abs/philosophers.abs", "promela/peterson-broken.pml"] {
        let name = file.rsplit('/').next().unwrap();
        desk.write(name, &std::fs::read_to_string(format!("{benchmarks}/{file}")).unwrap());
    }
    let bank = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bank.litmus")).unwrap();
    desk.write("bank.litmus", &bank);
    desk.write(
        "a-program-with-a-name-that-is-much-too-long-for-any-telephone-but-names-are.litmus",
        &bank,
    );
    [
        ("litmus", "check bank.litmus --keep-going --final-states --quiet"),
        (
            "a long name",
            "check a-program-with-a-name-that-is-much-too-long-for-any-telephone-but-names-are.litmus --quiet",
        ),
        ("abs", "check philosophers.abs --quiet"),
        ("promela", "check peterson-broken.pml --quiet"),
        ("actors", "check actors:diningphil --quiet"),
        ("tree", "check litmus:writers --set n=8 --algorithm optimal --quiet"),
        ("compare", "compare litmus:readers --set n=4 --json"),
    ]
    .map(|(name, line)| {
        desk.run(&format!("{line} --report r.html"));
        (name, desk.read("r.html"))
    })
    .into()
}

/// Looks at every text on the page in both themes: its contrast with what is behind it, whether it is cut off.
const LEGIBLE: &str = "
    const numbers = (colour) => (colour.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
    const light = (colour) => {
      const [r, g, b] = numbers(colour).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
    const behind = (element) => {
      const rect = element.closest('g.step') && element.closest('g.step').querySelector('rect');
      if (rect) return getComputedStyle(rect).fill;
      for (let e = element; e; e = e.parentElement) {
        const colour = getComputedStyle(e).backgroundColor;
        if (numbers(colour)[3] !== 0) return colour;
      }
      return 'rgb(255, 255, 255)';
    };
    const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const texts = $$('body *').filter((e) => own(e) && !['SCRIPT', 'STYLE', 'NOSCRIPT', 'TITLE', 'title', 'OPTION'].includes(e.tagName));
    const faint = (theme) => texts.map((e) => [e, ratio(getComputedStyle(e)[e instanceof SVGElement ? 'fill' : 'color'], behind(e))])
      .filter(([, r]) => r < 4.5).map(([e, r]) => `${theme}: ${e.textContent.slice(0, 30)} ${r.toFixed(2)}`);
    const paper = () => getComputedStyle(document.body).backgroundColor;
    const auto = paper();
    $('#theme').click(); const bright = paper(); const faintInLight = faint('light');
    $('#theme').click(); const dark = paper(); const faintInDark = faint('dark');
    $('#theme').click();
    see('texts', texts.length > 15);
    see('faint', [...faintInLight, ...faintInDark]);
    see('themes', [light(bright) > 0.8, light(dark) < 0.1, paper() === auto]);
    see('moving', document.getAnimations().length);
    const root = document.documentElement;
    see('overflow', root.scrollWidth - root.clientWidth);
    // What is wider than the page has to be inside of something that scrolls.
    const scrolls = (e) => { for (; e; e = e.parentElement) if (/auto|scroll/.test(getComputedStyle(e).overflowX)) return true; return false; };
    see('clipped', $$('main *').filter((e) => e.getBoundingClientRect().right > root.clientWidth + 1 && !scrolls(e)).map((e) => e.outerHTML.slice(0, 60)));
    see('unnamed', $$('button, input, select, [role=button], [role=region], [role=tree]').filter((e) =>
      !(e.textContent || e.getAttribute('aria-label') || (e.labels && e.labels.length))).length);";

#[test]
fn every_report_is_legible_on_a_telephone_and_a_desk_in_light_and_dark() {
    for (name, text) in every_kind() {
        let Some(page) = Page::of(&text) else { return };
        for width in [400, 1280] {
            let seen = page.sized(width).act(LEGIBLE);
            assert_eq!(seen["errors"], serde_json::json!([]), "{name}");
            assert_eq!(seen["overflow"], 0, "{name} at {width} pixels");
            assert_eq!(seen["clipped"], serde_json::json!([]), "{name} at {width} pixels");
            assert_eq!(seen["themes"], serde_json::json!([true, true, true]), "{name}");
            assert_eq!(seen["texts"], true, "{name}: there is something to look at");
            assert_eq!(
                seen["faint"],
                serde_json::json!([]),
                "{name}: contrast below 4.5 to 1 at {width} pixels"
            );
            assert_eq!(
                seen["moving"], 0,
                "nothing moves, so nothing has to stop for those who asked for less motion"
            );
            assert_eq!(
                seen["unnamed"], 0,
                "{name}: everything that can be used has a name for screen readers"
            );
        }
    }
}

#[test]
fn the_colours_follow_the_system_and_paper_is_always_light() {
    let Some(page) = bank() else { return };
    let paper = "see('paper', getComputedStyle(document.body).backgroundColor);
        const print = [...document.styleSheets[0].cssRules].find((r) => r.media && r.media.mediaText === 'print');
        see('print', print.cssText.includes('--page: #ffffff'));
        see('dark', matchMedia('(prefers-color-scheme: dark)').matches);";
    let (light, dark) = (page.act(paper), page.in_the_dark().act(paper));
    assert_eq!((&light["dark"], &dark["dark"]), (&false.into(), &true.into()));
    assert_ne!(light["paper"], dark["paper"]);
    assert_eq!(light["print"], true);
}

#[test]
fn all_lifelines_are_in_sight_where_there_is_room_and_numbers_where_there_is_not() {
    for (name, text) in every_kind().into_iter().filter(|(name, _)| ["abs", "actors"].contains(name)) {
        let Some(page) = Page::of(&text) else { return };
        let script = "const box = $('.diagram').getBoundingClientRect();
            see('hidden', $$('.heads span').filter((s) => s.getBoundingClientRect().right > box.right + 1 || s.getBoundingClientRect().left < box.left - 1).length);
            $('.diagram').scrollLeft = 9999;
            const number = $('.diagram .numbers').getBoundingClientRect();
            see('number', Math.abs(number.left - box.left) < 3);";
        let (wide, narrow) = (page.sized(1280).act(script), page.sized(400).act(script));
        assert_eq!(wide["hidden"], 0, "{name}");
        assert_eq!((&wide["number"], &narrow["number"]), (&true.into(), &true.into()), "{name}");
    }
}

#[test]
fn names_of_lifelines_break_between_words() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --set n=5 --algorithm optimal --quiet --report r.html");
    // The longest of all names, in a lifeline as narrow as they get.
    let text = desk.read("r.html").replace("philosopher3", "Philosopher 3");
    let Some(page) = Page::of(&text) else { return };
    let seen = page.sized(400).act(
        "const rows = (node, from, to) => {
            const range = document.createRange();
            range.setStart(node, from);
            range.setEnd(node, to);
            return new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size;
        };
        const words = $$('.heads span').flatMap((s) => [...s.textContent.matchAll(/\\S+/g)].map((w) => [s.firstChild, w.index, w.index + w[0].length]));
        see('words', words.length);
        see('broken', words.filter((w) => rows(...w) > 1).length);",
    );
    assert_eq!((&seen["errors"], &seen["words"]), (&serde_json::json!([]), &6.into()), "{seen}");
    assert_eq!(seen["broken"], 0, "{seen}");
}

#[test]
fn nothing_is_fetched_and_data_cannot_break_out() {
    let desk = Desk::new();
    desk.write("odd.litmus", "p0:[x=1]\np1:[assert x==0 \"</script><b>bold</b>&amp;<!--\"]\n");
    desk.run("check odd.litmus --quiet --report r.html");
    let text = desk.read("r.html");
    assert!(!text.contains("http://") || text.matches("http").count() == text.matches("http://www.w3.org/2000/svg").count());
    let Some(page) = Page::of(&text) else { return };
    let seen = page
        .act("see('bold', $$('b').length); see('text', $('#failures').textContent.includes('<' + '/script><b>bold</b>&amp;<' + '!--'));");
    assert_eq!(
        (&seen["errors"], &seen["bold"], &seen["text"]),
        (&serde_json::json!([]), &0.into(), &true.into())
    );
}
