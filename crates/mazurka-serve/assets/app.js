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
/** Steps can be gone on from where they are those of the program at the left. */
function ownSteps(own) {
  window.exploreFrom = own ? (steps) => explore(steps) : null;
}
ownSteps(true);

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

/** A program that is not one of the list joins it, so that it can be seen there and chosen again. */
function join(chosen) {
  let at = programs.findIndex((p) => p.name === chosen.name && p.text === chosen.text);
  if (at < 0) {
    at = programs.push(chosen) - 1;
    let group = $("program").querySelector("optgroup[label=opened]");
    if (!group) $("program").prepend(group = html("optgroup", { label: "opened" }));
    group.append(html("option", { value: at }, chosen.name));
  }
  $("program").value = at;
  load(programs[at]);
}

function clear() {
  ownSteps(true);
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

/** The tree of a search as a drawing and as a list; `open` shows an execution of it, where the program is there. */
function showTrees(tree, open) {
  const toStates = html("div", { class: "bar" }, html("button", { type: "button", onclick: () => select("states", true) }, "show the graph of states"));
  if (!tree || tree.nodes.length < 2) {
    $("tree").replaceChildren();
    $("map").replaceChildren(html("section", {}, html("h2", {}, "No tree, but a graph"),
      html("p", {}, "This search stored states and visited each of them once: what it went through is a graph of states, not a tree of executions. Another algorithm, such as optimal, has a tree."),
      open ? toStates : null));
    return;
  }
  showMap(tree, $("map"), open);
  document.querySelector("#tree h2").textContent = "The same as a list";
  if (open && tree.nodes.some((node) => node[3] === "context")) {
    $("map").firstElementChild.append(html("p", { class: "note" }, "Where branches were cut because their state had been reached before, the graph of states shows how they come together."), toStates);
  }
}

function explore(steps) {
  ownSteps(true);
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
    html("p", { class: "note" }, "the same on the command line: ", html("code", {}, seen.command)),
    html("p", { class: "note" }, `mazurka ${$("version").textContent}, ${new Date().toLocaleString()}`)));
}

/** What a page that was written elsewhere says first, as text: its markup stays where it is. */
function openedVerdict(page, title, about) {
  const text = (element) => element ? element.textContent.trim() : "";
  const badge = page.querySelector("#verdict .badge");
  const kind = badge && ["good", "bad", "warn"].find((name) => badge.classList.contains(name));
  const made = page.getElementById("made-at");
  $("verdict").replaceChildren(
    html("h2", {}, badge ? html("span", { class: "badge " + kind, id: "badge" }, text(badge)) : null, " " + (text(page.getElementById("verdict")).slice(text(badge).length).trim() || title)),
    html("p", {}, about),
    html("dl", { class: "facts" }, [...page.querySelectorAll("dl.facts > div")].map((fact) => html("div", {}, html("dt", {}, text(fact.querySelector("dt"))), html("dd", {}, text(fact.querySelector("dd")))))),
    html("p", { class: "note" }, made ? [html("code", {}, text(page.querySelector("footer code"))), `, ${text(made.parentElement)} ${new Date(made.dataset.seconds * 1000).toLocaleString()}`] : null));
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
    ownSteps(true);
    const comparison = [...$("comparison").childNodes];
    verdict(seen, $("verdict"));
    showReport(seen.report);
    $("comparison").replaceChildren(...comparison);
    showTrees(seen.report.tree, explore);
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
    if (seen.without) $("comparison").prepend(html("p", { class: "note" }, seen.report.title + seen.without));
    for (const text of seen.disagreements) $("comparison").prepend(html("p", { class: "bad", role: "alert" }, text));
  });
}

/** The program of a report, if it can be run here: one that is built in, or one of a single text in one of the languages. */
function programOf(report) {
  const [sources, title] = [Object.entries(report.sources), report.title];
  const named = ([name]) => title === name || title.startsWith(name + " ");
  const program = sources.length === 0 ? programs.find((p) => p.text === undefined && named([p.name]))
    : sources.length === 1 && named(sources[0]) && /\.(litmus|abs|pml|promela|prom|prm|spin)$/i.test(sources[0][0]) ? { name: sources[0][0], text: sources[0][1], about: "from a report" } : undefined;
  return program ? { program, options: title.slice(program.name.length).trim() } : null;
}

async function open(file) {
  const text = await file.text();
  if (/\.html$/i.test(file.name)) {
    // A report, of a Rust test for example: its data is in it.
    const page = new DOMParser().parseFromString(text, "text/html");
    const data = page.getElementById("data");
    if (!data) return void ($("wrong").textContent = `${file.name} is no report of this tool`);
    const report = JSON.parse(data.textContent);
    const own = programOf(report);
    if (own) {
      join(own.program);
      $("options").value = own.options;
    } else clear();
    ownSteps(own !== null);
    select("result");
    openedVerdict(page, report.title, own ? "A report that was opened, and its program." : "A report that was opened. Its program is not one that can be run here: the one at the left is another.");
    showReport(report);
    showTrees(report.tree, own ? explore : null);
  } else if (/\.json$/i.test(file.name)) {
    const schedule = JSON.parse(text);
    if (!Array.isArray(schedule.steps)) return void ($("wrong").textContent = `${file.name} is no schedule of this tool`);
    explore(schedule.steps.map((step) => [step.process, step.choice || 0]));
  } else join({ name: file.name, text, about: "a file that was opened" });
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
    if (known >= 0 && (kept.text === undefined || programs[known].text === kept.text)) {
      $("program").value = known;
      load(programs[known]);
    } else join({ name: kept.name, text: kept.text, about: "from the link" });
    $("options").value = (kept.options || []).map((word) => /\s/.test(word) ? `"${word}"` : word).join(" ");
    if ((kept.steps || []).length > 0) explore(kept.steps);
    else if (kept.tab) select(kept.tab);
  } else load(programs[0]);
  document.body.dataset.ready = "yes";
})();
