//! The source beside the diagram.

use super::page::Page;
use crate::support::Desk;

#[test]
fn the_line_that_fails_is_in_sight_far_from_where_its_step_begins() {
    let desk = Desk::new();
    let text = format!("module Far;\n{{\n  Int x = 1;\n{}  assert x == 2;\n}}\n", "  x = x;\n".repeat(60));
    desk.write("far.abs", &text);
    desk.run("check far.abs --quiet --report r.html");
    let Some(page) = Page::of(&desk.read("r.html")) else { return };
    let seen = page.act(
        "const [line, box] = [$('.source .failing').getBoundingClientRect(), $('.source').getBoundingClientRect()];
         see('line', $('.source .failing span').textContent);
         see('inSight', line.top >= box.top && line.bottom <= box.bottom);
         see('place', $('.details').textContent.includes('far.abs:2:1, fails at far.abs:64:3'));",
    );
    assert_eq!((&seen["errors"], &seen["line"]), (&serde_json::json!([]), &"64".into()), "{seen}");
    assert_eq!((&seen["inSight"], &seen["place"]), (&true.into(), &true.into()), "{seen}");
}
