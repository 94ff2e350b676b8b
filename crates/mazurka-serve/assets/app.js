// The page: choose or edit a program, run, look, explore.
const $ = (id) => document.getElementById(id);
let programs = [];
let current = { name: "edited.litmus", text: "" };
let running = null; // the run that can be stopped
let shownState = 0;

const kindOf = (name) => /\.abs$/i.test(name) ? "abs" : /\.(pml|promela|prom|prm|spin)$/i.test(name) ? "promela" : "litmus";
const editor = mazurkaEditor($("editor"), (text) => {
  current.text = text;
  if (text !== current.original) $("about").textContent = "edited here";
  changed();
});

/** Lights up a line in the editor, if it is about the text there. */
function lightUp(at) {
  if (current.text !== null) editor.light(at && at.file === current.name ? at.line : null);
}
// What diagrams tell: which step is looked at, and that somebody wants to go on from there.
window.stepChosen = lightUp;
window.exploreFrom = (steps) => explore(steps);

/** What every question says about the program. */
function program() {
  const words = $("options").value.trim();
  const options = words === "" ? [] : words.match(/"[^"]*"|\S+/g).map((word) => word.replace(/^"|"$/g, ""));
  return current.text === null ? { name: current.name, options } : { name: current.name, text: current.text, options };
}

const walker = explorer($("walk"), program, () => remember());

/** The address of what is seen: a link shows the same. */
const remember = afterwards(150, () => {
  const kept = { ...program(), steps: walker.steps(), tab: selected() };
  const bytes = new TextEncoder().encode(JSON.stringify(kept));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  history.replaceState(null, "", "#" + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""));
});

function remembered() {
  try {
    const binary = atob(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const kept = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (c) => c.charCodeAt(0))));
    return typeof kept.name === "string" ? kept : null;
  } catch {
    return null;
  }
}

function load(chosen) {
  current = { name: chosen.name, text: chosen.text === undefined ? null : chosen.text, original: chosen.text };
  $("about").textContent = [chosen.about, ...(chosen.parameters || []).map((p) => "--set " + p)].filter((text) => text).join(" · ");
  const built = current.text === null;
  $("editor").hidden = built;
  if (!built) editor.set(current.text, kindOf(current.name));
  editor.diagnose([]);
  clear();
  changed();
}

function clear() {
  for (const place of ["failures", "samples", "finals", "tree", "comparison", "states"]) $(place).replaceChildren();
  $("verdict").replaceChildren(html("p", { class: "note" }, "Press ", html("strong", {}, "check"), "."));
  $("map").replaceChildren(html("section", {}, html("p", { class: "note" }, "The tree of a search is here after a check.")));
  $("no-comparison").hidden = false;
  $("wrong").textContent = "";
  $("progress").textContent = "";
}

// What is wrong is said while one types; so is which algorithms fit.
const changed = afterwards(250, async () => {
  remember();
  const mine = ++shownState;
  try {
    const seen = await answer("program", program());
    if (mine !== shownState) return;
    if (current.text !== null) editor.diagnose(seen.findings);
    const errors = seen.findings.filter((f) => f.severity === "error");
    $("problems").textContent = errors.length === 0 ? (seen.wrong || "") : `${plural(errors.length, "error")}: line ${errors[0].from.line}: ${errors[0].message}`;
    const select = $("algorithm");
    const before = select.value;
    if (seen.algorithms.length > 0) {
      select.replaceChildren(html("option", { value: "" }, `the best that fits (${(seen.algorithms.find((a) => a.default) || { name: "" }).name})`),
        ...seen.algorithms.map((a) => html("option", { value: a.name, title: a.about }, a.name)));
      if (seen.algorithms.some((a) => a.name === before)) select.value = before;
    }
    if (!$("walk").hidden && errors.length === 0) walker.again();
  } catch (error) {
    $("problems").textContent = error.message;
  }
});

function selected() {
  return document.querySelector('[role="tab"][aria-selected="true"]').getAttribute("aria-controls");
}

function select(name, focus) {
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    const on = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", String(on));
    tab.setAttribute("tabindex", on ? 0 : -1);
    if (on && focus) tab.focus();
    $(tab.getAttribute("aria-controls")).hidden = !on;
  }
  if (name === "walk" && !walker.isOpen()) walker.go([]);
  if (name === "states" && $("states").childElementCount === 0) states();
  remember();
}

async function states() {
  $("states").replaceChildren(html("p", { class: "note", role: "status" }, "looking at the states…"));
  try {
    showGraph(await answer("graph", program()), $("states"), (steps) => explore(steps));
  } catch (error) {
    $("states").replaceChildren(html("p", { class: "bad", role: "alert" }, error.message));
  }
}

function explore(steps) {
  select("walk");
  walker.go(steps || [], true);
}

/** Runs something that takes a while; `finish` gets the last part of its answer. */
async function run(what, question, finish) {
  if (running) return;
  const id = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
  running = id;
  for (const button of ["check", "compare"]) $(button).disabled = true;
  $("stop").hidden = false;
  $("wrong").textContent = "";
  $("progress").textContent = "running…";
  try {
    let last = null;
    await ask(what, { ...question, run: id }, (part) => {
      if (part.progress !== undefined) $("progress").textContent = part.progress;
      else if (part.begins === undefined) last = part;
    });
    $("progress").textContent = "";
    if (last !== null) finish(last);
  } catch (error) {
    $("progress").textContent = "";
    $("wrong").textContent = error.message;
  } finally {
    running = null;
    for (const button of ["check", "compare"]) $(button).disabled = false;
    $("stop").hidden = true;
  }
}

function verdict(seen, place) {
  const badge = { complete: "good", violation: "bad", incomplete: "warn" }[seen.verdict];
  const rest = seen.headline.slice(seen.headline.indexOf(": ") + 2);
  place.replaceChildren(html("div", {}, html("h2", {}, html("span", { class: "badge " + badge, id: "badge" }, seen.verdict), " " + rest),
    seen.proven ? html("p", {}, seen.proven) : null,
    html("dl", { class: "facts" }, seen.facts.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value)))),
    seen.notes.map((note) => html("p", { class: "note" }, note)),
    html("p", { class: "note" }, "the same on the command line: ", html("code", {}, seen.command))));
}

function options() {
  const { options, ...rest } = program();
  const more = [];
  const add = (flag, value) => { if (!options.includes(flag)) more.push(...(value === undefined ? [flag] : [flag, value])); };
  if ($("timeout").value) add("--timeout", $("timeout").value + "s");
  if ($("max-executions").value) add("--max-executions", $("max-executions").value);
  return { ...rest, options: [...options, ...more], add };
}

function check() {
  const { add, ...question } = options();
  if ($("algorithm").value && !question.options.includes("--algorithm")) question.options.push("--algorithm", $("algorithm").value);
  for (const flag of ["keep-going", "final-states"]) if ($(flag).checked && !question.options.includes("--" + flag)) question.options.push("--" + flag);
  select("result");
  run("check", question, (seen) => {
    const comparison = [...$("comparison").childNodes];
    verdict(seen, $("verdict"));
    showReport(seen.report);
    $("comparison").replaceChildren(...comparison);
    const tree = seen.report.tree;
    if (tree && tree.nodes.length > 1) showMap(tree, $("map"), (steps, end) => { if (end) explore(steps); else explore(steps); });
    else $("map").replaceChildren();
    if ($("verdict").getBoundingClientRect().top < 0) $("verdict").scrollIntoView();
  });
}

function compare() {
  const { add, ...question } = options();
  question.options = question.options.map((word, i, all) => all[i - 1] === "--timeout" && word === "60s" ? "5s" : word);
  select("side");
  run("compare", question, (seen) => {
    $("no-comparison").hidden = true;
    $("comparison").replaceChildren();
    showComparison(seen.report.comparison);
    for (const text of seen.disagreements) $("comparison").prepend(html("p", { class: "bad", role: "alert" }, text));
  });
}

async function open(file) {
  const text = await file.text();
  if (/\.html$/i.test(file.name)) {
    // A report, of a Rust test for example: its data is in it.
    const data = new DOMParser().parseFromString(text, "text/html").getElementById("data");
    if (!data) return void ($("wrong").textContent = `${file.name} is no report of this tool`);
    const report = JSON.parse(data.textContent);
    clear();
    select("result");
    $("verdict").replaceChildren(html("h2", {}, report.title), html("p", { class: "note" }, "a report that was opened, not a run of the program at the left"));
    showReport(report);
    if (report.tree && report.tree.nodes.length > 1) showMap(report.tree, $("map"), () => select("result"));
  } else if (/\.json$/i.test(file.name)) {
    const schedule = JSON.parse(text);
    if (!Array.isArray(schedule.steps)) return void ($("wrong").textContent = `${file.name} is no schedule of this tool`);
    explore(schedule.steps.map((step) => [step.process, step.choice || 0]));
  } else load({ name: file.name, text, about: "a file that was opened" });
}

$("check").addEventListener("click", check);
$("compare").addEventListener("click", compare);
$("explore").addEventListener("click", () => explore([]));
$("stop").addEventListener("click", () => running && fetch("api/stop", { method: "POST", body: JSON.stringify({ run: running }) }));
$("options").addEventListener("input", changed);
$("open").addEventListener("change", (event) => event.target.files[0] && open(event.target.files[0]).catch((error) => { $("wrong").textContent = error.message; }));
$("program").addEventListener("change", (event) => load(programs[Number(event.target.value)]));
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { check(); event.preventDefault(); }
});
document.querySelector('[role="tablist"]').addEventListener("click", (event) => {
  const tab = event.target.closest('[role="tab"]');
  if (tab) select(tab.getAttribute("aria-controls"));
});
document.querySelector('[role="tablist"]').addEventListener("keydown", (event) => {
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const at = tabs.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (to === undefined) return;
  select(tabs[(to + tabs.length) % tabs.length].getAttribute("aria-controls"), true);
  event.preventDefault();
});

(async () => {
  const list = await answer("programs", {});
  $("version").textContent = list.version;
  const kept = remembered();
  for (const group of list.groups.filter((g) => g.programs.length > 0)) {
    $("program").append(html("optgroup", { label: group.title }, group.programs.map((p) => {
      programs.push(p);
      return html("option", { value: programs.length - 1 }, p.text === undefined ? p.name : p.name + (p.about ? ` (${p.about})` : ""));
    })));
  }
  if (kept) {
    const known = programs.findIndex((p) => p.name === kept.name);
    if (known >= 0) $("program").value = known;
    load({ name: kept.name, text: kept.text, about: "from the link" });
    $("options").value = (kept.options || []).map((word) => /\s/.test(word) ? `"${word}"` : word).join(" ");
    if ((kept.steps || []).length > 0) explore(kept.steps);
    else if (kept.tab) select(kept.tab);
  } else load(programs[0]);
  document.body.dataset.ready = "yes";
})();
