// A failure: the diagram, and beside it the source line and the state at the chosen step with what changed there.
function showFailure(failure, holder) {
  // Steps first, then waits: one line of things to go through.
  const stops = [...failure.steps.map((_, i) => ["step", i]), ...failure.waits.map((_, i) => ["wait", i])];
  const states = [new Map(failure.initial)];
  for (const step of failure.steps) {
    const state = new Map(states[states.length - 1]);
    for (const [name, , after] of step.changes) {
      if (after === null) state.delete(name);
      else state.set(name, after);
    }
    states.push(state);
  }
  let at = 0;
  const live = html("p", { class: "visually-hidden", "aria-live": "polite" });
  const details = html("div", { class: "details" });
  const picture = diagram(failure, (kind, index) => go(stops.findIndex(([k, i]) => k === kind && i === index), true));

  function go(to, focus) {
    if (stops.length === 0) return;
    at = Math.max(0, Math.min(stops.length - 1, to));
    const [kind, index] = stops[at];
    picture.mark(kind, index);
    details.replaceChildren(...(kind === "step" ? aboutStep(index) : aboutWait(index)));
    const here = details.querySelector(".here");
    if (here) here.parentElement.scrollTop = here.offsetTop - here.parentElement.offsetTop - here.parentElement.clientHeight / 2;
    live.textContent = details.querySelector("h3").textContent;
    if (focus) picture.focus();
  }

  function toTheRace() {
    const race = failure.race;
    const first = race.first;
    const second = race.wait === null ? race.step : failure.steps.length + race.wait;
    go(at === first ? second : first, true);
  }

  function aboutStep(index) {
    const step = failure.steps[index];
    const changed = new Set(step.changes.map(([name]) => name));
    const parts = [html("h3", {}, `Step ${index + 1} of ${failure.steps.length}: ${step.process}`), html("p", {}, html("code", {}, step.label))];
    if (step.failure !== null) parts.push(html("p", { class: "bad" }, "✗ " + step.failure));
    if (step.values) parts.push(html("p", {}, step.values));
    if (step.at) parts.push(html("p", { class: "note" }, place(step.at)));
    parts.push(...source(step.at));
    parts.push(html("h3", {}, "State after this step"), stateTable(states[index + 1], changed, step));
    const others = step.others.filter(([, , enabled]) => enabled);
    const disabled = step.others.filter(([, , enabled]) => !enabled);
    parts.push(html("h3", {}, "What else could have happened here"),
      step.others.length === 0 ? html("p", { class: "off" }, "nothing") : html("ul", { class: "plain" },
        others.map(([who, what]) => html("li", {}, `${who}: `, html("code", {}, what))),
        disabled.map(([who, what]) => html("li", { class: "off" }, `${who}: `, html("code", {}, what), " (could not be taken)"))));
    return parts;
  }

  function aboutWait(index) {
    const wait = failure.waits[index];
    const text = `waits for ${wait.what}` + (wait.on ? `, held up by ${wait.on}` : "");
    const parts = [html("h3", {}, `${wait.process} ${text}`)];
    if (failure.cycle.includes(index)) parts.push(html("p", { class: "bad" }, "part of a cycle of waiting"));
    if (wait.at) parts.push(html("p", { class: "note" }, place(wait.at)));
    parts.push(...source(wait.at), html("h3", {}, "State at the end"), stateTable(states[states.length - 1], new Set(), null));
    return parts;
  }

  function stateTable(state, changed, step) {
    if (state.size === 0) return html("p", { class: "off" }, "no values to show");
    const before = new Map(step ? step.changes.map(([name, old]) => [name, old]) : []);
    return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "state" }, html("table", { class: "values" },
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "name"), html("th", { scope: "col" }, "value"), html("th", { scope: "col" }, "before"))),
      html("tbody", {}, [...state].map(([name, value]) => html("tr", { class: changed.has(name) ? "changed" : null },
        html("td", {}, name), html("td", {}, value), html("td", {}, changed.has(name) ? (before.get(name) ?? "did not exist") : ""))))));
  }

  function source(position) {
    const name = position && data.sources[position.file] !== undefined ? position.file : Object.keys(data.sources)[0];
    if (name === undefined) return [];
    const touched = new Set(failure.steps.filter((s) => s.at && s.at.file === name).map((s) => s.at.line));
    const lines = data.sources[name].split("\n").map((text, i) => {
      const here = position && position.file === name && position.line === i + 1;
      const classes = (here ? "here " : "") + (touched.has(i + 1) ? "touched" : "");
      return html("div", { class: classes.trim() || null, "aria-current": here ? "location" : null }, html("span", {}, String(i + 1)), text);
    });
    return [html("div", { class: "source", tabindex: 0, role: "region", "aria-label": "source " + name }, lines)];
  }

  const race = failure.race;
  const buttons = html("div", { class: "bar" },
    html("button", { type: "button", onclick: () => go(at - 1, true), title: "left arrow or k" }, "◀ back"),
    html("button", { type: "button", onclick: () => go(at + 1, true), title: "right arrow or j" }, "next ▶"),
    race && html("button", { type: "button", onclick: toTheRace, title: "r" }, "to the race"));
  const meaning = race && (race.decisive ? "in the other order this failure does not happen" : "the last race before the failure");
  const second = race && (race.wait === null ? `step ${race.step + 1}` : `what ${failure.waits[race.wait].process} waits to do`);
  holder.replaceChildren(html("div", {},
    html("p", {}, html("strong", { class: "bad" }, failure.kind), ": " + failure.message, failure.at ? html("span", { class: "note" }, "  " + place(failure.at)) : null),
    html("p", { class: "note" }, `${plural(failure.steps.length, "step")}, ${plural(failure.switches, "context switch")}` + (failure.reduced ? `; found as ${plural(failure.reduced.steps, "step")}, ${plural(failure.reduced.switches, "context switch")}` : "")),
    race ? html("p", {}, html("span", { style: "color:var(--race)" }, "● "), `step ${race.first + 1} and ${second} race on ${race.locations.join(", ")}: ${meaning}`) : null,
    failure.command ? html("p", { class: "note" }, "replay: ", html("code", {}, failure.command)) : null,
    buttons, live, html("div", { class: "split" }, picture.element, details)));
  picture.element.addEventListener("keydown", (event) => {
    const keys = { ArrowRight: 1, ArrowDown: 1, j: 1, ArrowLeft: -1, ArrowUp: -1, k: -1 };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (keys[event.key]) go(at + keys[event.key], true);
    else if (event.key === "Home") go(0, true);
    else if (event.key === "End") go(stops.length - 1, true);
    else if (event.key === "r" && race) toTheRace();
    else return;
    event.preventDefault();
  });
  const failing = failure.steps.findIndex((s) => s.failure !== null);
  go(failing >= 0 ? failing : Math.max(0, failure.steps.length - 1), false);
}

if (data.failures.length > 0) {
  const holder = html("div", {});
  const one = data.failures.length === 1;
  const choose = html("select", { id: "which", onchange: (event) => showFailure(data.failures[Number(event.target.value)], holder) },
    data.failures.map((f, i) => html("option", { value: i }, `${i + 1}. ${f.kind}: ${cut(f.message, 80)}`)));
  section("failures", one ? "What happened" : plural(data.failures.length, "failure"),
    one ? null : html("div", { class: "bar" }, html("label", { for: "which" }, "show"), html("div", { class: "grow" }, choose)), holder);
  showFailure(data.failures[0], holder);
}
