//! The page, used as a person would.

use super::client::Served;
use super::tab::Tab;
use crate::support::Desk;
use serde_json::json;

const SAFE: &str = "init fork[3];\na:[lock fork[0]][lock fork[1]][unlock fork[0]; unlock fork[1]]\nb:[lock fork[1]][lock fork[2]][unlock fork[1]; unlock fork[2]]\n\
                    c:[lock fork[0]][lock fork[2]][unlock fork[0]; unlock fork[2]]\n";

const SLOW_WALKS: &str = "window.quickFetch = window.fetch; window.fetch = async (address, question) => { \
                          const answer = await quickFetch(address, question); \
                          if (address === 'api/walk') await new Promise((later) => setTimeout(later, 800)); \
                          return answer; }; true";

#[test]
fn a_new_user_sees_a_deadlock_takes_another_path_compares_and_makes_it_safe() {
    let served = Served::new();
    let Some(mut tab) = Tab::open(&served.url(), false) else { return };
    // Check.
    tab.click("#check");
    tab.until("document.getElementById('badge')");
    assert_eq!(tab.text("#badge"), "violation");
    assert!(tab.text("#failures").contains("deadlock: after step 3"));
    assert_eq!(tab.see("document.querySelectorAll('#failures .step.wait').length"), 3);
    // A click on a step lights up its line in the editor.
    tab.click("#failures [data-step=\"wait 1\"]");
    assert!(tab.text(".cm-here").contains("lock fork[(id+1)%N]"));
    // Two steps back, and another path to a good end.
    tab.click("#failures [data-step=\"step 2\"]");
    // While the answer is on its way, the options are looked at again: the walk goes where it was sent all the same.
    tab.see(SLOW_WALKS);
    tab.see("document.getElementById('options').dispatchEvent(new Event('input'))");
    tab.press("#failures", "explore from here");
    tab.until("document.querySelector('#walk h2')?.innerText.startsWith('deadlock after 3 steps')");
    tab.see("window.fetch = window.quickFetch");
    assert_eq!(tab.see("document.querySelectorAll('#walk .moves .blocked').length"), 3);
    assert!(tab.text("#walk .blocked").contains("fork[1] = 2"), "why it is blocked");
    tab.press("#walk", "◀ back");
    tab.until("document.querySelector('#walk h2')?.innerText === 'After 2 steps'");
    tab.press("#walk", "◀ back");
    tab.until("document.querySelector('#walk h2')?.innerText === 'After 1 step'");
    tab.click("#walk .moves [data-process=\"philosopher 0\"]");
    tab.until("document.querySelector('#walk h2')?.innerText === 'After 2 steps'");
    tab.press("#walk", "to a good end");
    tab.until("document.querySelector('#walk h2')?.innerText.startsWith('A good end after 9 steps')");
    tab.press("#walk", "another way to this end");
    tab.until("document.querySelector('#walk h2')?.innerText.startsWith('A good end after 9 steps')");
    // Four algorithms side by side.
    tab.see("document.getElementById('options').value = '--algorithms naive,dpor,source,optimal'");
    tab.click("#compare");
    tab.until("document.querySelectorAll('#comparison tbody tr').length === 4");
    assert_eq!(tab.see("document.querySelectorAll('#comparison .chart rect').length"), 4);
    tab.see("document.getElementById('options').value = ''");
    // An error is underlined while it is there.
    tab.write("init fork[3];\na:[lock frok[0]]");
    tab.until("document.querySelector('.cm-lintRange-error')");
    assert!(tab.text("#problems").contains("line 2"), "{}", tab.text("#problems"));
    // Safe.
    tab.write(SAFE);
    tab.until("!document.querySelector('.cm-lintRange-error')");
    tab.click("#check");
    tab.until("document.getElementById('badge') && document.getElementById('badge').innerText === 'complete'");
    assert!(tab.text("#verdict").contains("What is proven"));
    assert!(tab.text("#samples").contains("An execution to final state 1"));
    tab.press("#finals", "show how");
    tab.until("document.querySelectorAll('#samples .step').length === 9");
    assert_eq!(tab.errors, Vec::<String>::new());
}

#[test]
fn the_tree_opens_executions_and_the_graph_has_all_states() {
    let served = Served::new();
    let Some(mut tab) = Tab::open(&served.url(), true) else { return };
    // Ctrl+Enter checks from within the editor, and changes nothing there.
    let text = tab.text(".cm-content");
    tab.see("document.querySelector('.cm-content').focus()");
    tab.call(
        "Input.dispatchKeyEvent",
        json!({ "type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "modifiers": 2 }),
    );
    tab.until("document.getElementById('badge')");
    assert_eq!(tab.text(".cm-content"), text);
    tab.click("#tab-trees");
    tab.until("document.querySelector('#map canvas')");
    assert!(tab.text("#map h2").contains("24 nodes"));
    // Down to a leaf with the keyboard.
    tab.see("document.querySelector('#map canvas').focus()");
    for key in ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight"] {
        tab.see(&format!(
            "document.querySelector('#map canvas').dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"
        ));
    }
    assert!(
        tab.text("#map [aria-live]").contains("deadlock"),
        "{}",
        tab.text("#map [aria-live]")
    );
    tab.click("#open-node");
    tab.until("document.querySelector('#walk h2') && document.querySelector('#walk h2')?.innerText.startsWith('deadlock')");
    tab.click("#tab-states");
    tab.until("document.querySelector('#states canvas')");
    assert!(tab.text("#states h2").starts_with("45 states"), "{}", tab.text("#states h2"));
    // A search that stores states has no tree, and says where its graph is.
    tab.see("(() => { const s = document.getElementById('algorithm'); s.value = 'stateful'; })()");
    tab.click("#check");
    tab.until("document.querySelector('#map h2')?.innerText === 'No tree, but a graph'");
    tab.click("#tab-trees");
    tab.press("#map", "show the graph of states");
    tab.until("document.querySelector('#states canvas').offsetHeight > 100");
    // A link shows the same walk.
    tab.click("#tab-walk");
    std::thread::sleep(std::time::Duration::from_millis(400));
    let link = tab.see("location.href").as_str().unwrap_or_default().to_owned();
    let Some(mut other) = Tab::open(&link, true) else { return };
    other.until("document.querySelector('#walk h2') && document.querySelector('#walk h2')?.innerText.startsWith('deadlock after 3 steps')");
    assert_eq!((tab.errors.clone(), other.errors.clone()), (Vec::new(), Vec::new()));
}

#[test]
fn a_run_is_stopped_and_a_large_tree_is_drawn() {
    let served = Served::new();
    let Some(mut tab) = Tab::open(&served.url(), false) else { return };
    tab.see("(() => { const s = document.getElementById('program'); s.value = [...s.options].find((o) => o.textContent.startsWith('litmus:writers')).value; s.dispatchEvent(new Event('change')); document.getElementById('options').value = '--set n=11 --algorithm naive'; })()");
    tab.click("#check");
    tab.until("document.getElementById('progress').innerText.includes('executions')");
    tab.click("#stop");
    tab.until("document.getElementById('badge')");
    assert_eq!(tab.text("#badge"), "incomplete");
    tab.click("#tab-trees");
    tab.until("document.querySelector('#map canvas')");
    let nodes = tab.text("#map h2");
    // Drawing all of it is a matter of milliseconds; what is counted here is that it is drawn, and that the page still answers.
    tab.press("#map", "fit");
    tab.press("#map", "+");
    assert_eq!(tab.see("document.querySelector('#map canvas').width > 0"), true);
    let count: u32 = nodes
        .chars()
        .filter(char::is_ascii_digit)
        .collect::<String>()
        .parse()
        .expect("a number of nodes");
    assert!(count > 1_000, "{nodes}");
    assert_eq!(tab.errors, Vec::<String>::new());
}

#[test]
fn a_report_that_was_written_elsewhere_opens_with_its_source() {
    let desk = Desk::new();
    desk.write("x.litmus", "a:[x=1]\nb:[assert x==0 \"too late\"]\n");
    desk.run("check x.litmus --quiet --report r.html");
    let served = Served::new();
    let Some(mut tab) = Tab::open(&served.url(), false) else { return };
    let open = |tab: &mut Tab, file: &str| {
        let document = tab.call("DOM.getDocument", json!({}));
        let root = document["root"]["nodeId"].clone();
        let field = tab.call("DOM.querySelector", json!({ "nodeId": root, "selector": "#open" }));
        let file = desk.path(file).display().to_string();
        tab.call("DOM.setFileInputFiles", json!({ "nodeId": field["nodeId"], "files": [file] }));
        tab.until("document.querySelector('#failures .source')");
    };
    // The report of a Rust test has a source that cannot be run here: steps are looked at, and not taken.
    let rust = desk.read("r.html").replace("x.litmus", "tests/x.rs");
    desk.write("rust.html", &rust);
    open(&mut tab, "rust.html");
    assert!(tab.text("#failures .source .here").contains("assert x==0"));
    assert!(tab.text("#verdict").contains("is not one that can be run here"));
    assert!(!tab.text("#failures").contains("explore from here"));
    // A model comes along with its report.
    open(&mut tab, "r.html");
    tab.until("document.querySelector('#failures').innerText.includes('take another step instead')");
    assert_eq!(tab.text("#badge"), "violation");
    assert!(tab.text(".cm-content").contains("too late"));
    tab.press("#failures", "take another step instead");
    tab.until("document.querySelector('#walk h2')?.innerText === 'After 1 step'");
    assert_eq!(tab.errors, Vec::<String>::new());
}

#[test]
fn nothing_is_cut_off_from_a_telephone_to_a_wall() {
    let served = Served::new();
    for dark in [false, true] {
        let Some(mut tab) = Tab::open(&served.url(), dark) else { return };
        tab.click("#check");
        tab.until("document.getElementById('badge')");
        for view in ["result", "walk", "trees", "states"] {
            tab.see(&format!("document.getElementById('tab-{view}').click()"));
            tab.until(&format!("document.getElementById('{view}').offsetHeight > 100"));
            for width in [400, 800, 1280, 2560] {
                tab.size(width, 900);
                std::thread::sleep(std::time::Duration::from_millis(60));
                let overflow = tab.see("document.documentElement.scrollWidth - document.documentElement.clientWidth");
                assert_eq!(overflow, 0, "{view} at {width} pixels");
                let broken = tab.see(
                    "[...document.querySelectorAll('.tag, #finals button, .cm-line')].filter((e) => e.offsetParent && \
                     (e.classList.contains('cm-line') ? e.scrollWidth > e.clientWidth + 1 : e.getClientRects().length > 1)).map((e) => e.innerText)",
                );
                assert_eq!(broken, json!([]), "{view} at {width} pixels");
            }
        }
        // The divider moves with the keyboard as well.
        tab.size(1280, 900);
        let wide = "document.getElementById('program-side').offsetWidth";
        let before = tab.see(wide).as_u64().expect("pixels");
        let press = "document.getElementById('divider').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))";
        tab.see(press);
        assert_eq!(tab.see(wide), before + 32);
        assert_eq!(
            tab.see("document.getElementById('divider').getAttribute('aria-valuenow')"),
            (before + 32).to_string()
        );
        let unnamed = tab.see(
            "[...document.querySelectorAll('button, input:not([type=file]), select, canvas, [role=tab]')].filter((e) => e.offsetParent && \
             !(e.textContent || e.getAttribute('aria-label') || (e.labels && e.labels.length))).map((e) => e.outerHTML)",
        );
        assert_eq!(unnamed, json!([]));
        assert_eq!(tab.errors, Vec::<String>::new());
    }
}
