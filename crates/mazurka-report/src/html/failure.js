// A failure: the diagram, and beside it the source line and the state at the chosen step with what changed there.
// `sources` are the texts of the program by name; `start` is the step to show first.
function showFailure(failure, holder, sources, start) {
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
  const split = html("div", { class: "split" });
  let picture = null;
  let known = 0; // the width that the diagram was made for
  let ordered = false; // whether happens-before is drawn

  function go(to, focus, quiet) {
    if (stops.length === 0) return;
    at = Math.max(0, Math.min(stops.length - 1, to));
    const [kind, index] = stops[at];
    if (!quiet) picture.mark(kind, index);
    else picture.choose(kind, index);
    details.replaceChildren(...(kind === "step" ? aboutStep(index) : aboutWait(index)));
    // A page around this one may show the place as well, and go on from here.
    if (window.stepChosen) window.stepChosen((kind === "step" ? failure.steps : failure.waits)[index].at);
    // Where it fails is more than where the step began.
    const here = details.querySelector(".failing") || details.querySelector(".here");
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

  // Side by side where there is room for all lifelines, below each other where that makes them fit.
  function layOut() {
    const room = split.clientWidth;
    known = room;
    const least = leastWidth(failure) + 30;
    const beside = room >= 860 && (least <= room * 0.6 || least > room);
    split.classList.toggle("beside", beside);
    const old = picture && picture.element.contains(document.activeElement);
    picture = diagram(failure, beside ? Math.floor((room - 16) * 0.6) : room, (kind, index) => go(stops.findIndex(([k, i]) => k === kind && i === index), true));
    picture.element.addEventListener("keydown", press);
    picture.order(ordered);
    split.replaceChildren(picture.element, details);
    go(at, old, !old);
  }

  function press(event) {
    const keys = { ArrowRight: 1, ArrowDown: 1, j: 1, ArrowLeft: -1, ArrowUp: -1, k: -1 };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (keys[event.key]) go(at + keys[event.key], true);
    else if (event.key === "Home") go(0, true);
    else if (event.key === "End") go(stops.length - 1, true);
    else if (event.key === "r" && race) toTheRace();
    else return;
    event.preventDefault();
  }

  function aboutStep(index) {
    const step = failure.steps[index];
    const parts = [html("h3", {}, `Step ${index + 1} of ${failure.steps.length}: ${step.process}`), html("p", {}, html("code", {}, step.label))];
    if (step.failure !== null) parts.push(html("p", { class: "bad" }, "✗ " + step.failure));
    if (step.values) parts.push(html("ul", { class: "plain values" }, step.touched.map((value) => html("li", {}, value)),
      step.arrows.map((sent) => html("li", {}, (sent.message ? `sends ${sent.text} to ${sent.column}` : `starts ${sent.text}`) +
        (sent.to === null ? "" : `, handled in step ${sent.to + 1}`)))));
    if (step.causes.length > 0) parts.push(html("p", { class: "note" }, "after " + step.causes.map((cause) => `step ${cause + 1}`).join(", ") + ": what it depends on"));
    if (step.at) parts.push(html("p", { class: "note" }, place(step.at) + (step.failedAt ? `, fails at ${place(step.failedAt)}` : "")));
    const elsewhere = step.failedAt && step.at && step.failedAt.file !== step.at.file && sources[step.failedAt.file] !== undefined;
    parts.push(...source(elsewhere ? step.failedAt : step.at, step.failedAt));
    parts.push(html("h3", {}, "State after this step"), stateTable(states[index + 1], step));
    const others = step.others.filter(([, , enabled]) => enabled);
    const disabled = step.others.filter(([, , enabled]) => !enabled);
    if (window.exploreFrom) {
      const until = (end) => failure.steps.slice(0, end).map((s) => [s.key, s.choice]);
      parts.push(html("div", { class: "bar" },
        html("button", { type: "button", onclick: () => window.exploreFrom(until(index)) }, "take another step instead"),
        failure.walk && index + 1 === failure.steps.length ? null : html("button", { type: "button", onclick: () => window.exploreFrom(until(index + 1)) }, "explore from here")));
    }
    parts.push(html("h3", {}, "What else could have happened here"),
      step.others.length === 0 ? html("p", { class: "off" }, "nothing") : html("ul", { class: "plain" },
        others.map(([who, what]) => html("li", {}, `${who}: `, html("code", {}, what))),
        disabled.map(([who, what]) => html("li", { class: "off" }, `${who}: `, html("code", {}, what), " (could not be taken)"))));
    return parts;
  }

  function aboutWait(index) {
    const wait = failure.waits[index];
    const parts = [html("h3", {}, `${wait.process} waits for ${wait.what}`)];
    if (wait.on) parts.push(html("p", {}, `held up by ${wait.on}`));
    wait.because.forEach((reason) => parts.push(html("p", {}, reason)));
    if (failure.cycle.includes(index)) parts.push(html("p", { class: "bad" }, "part of a cycle of waiting"));
    if (wait.at) parts.push(html("p", { class: "note" }, place(wait.at)));
    parts.push(...source(wait.at, null), html("h3", {}, "State at the end"), stateTable(states[states.length - 1], null));
    return parts;
  }

  // What the step changed comes first.
  function stateTable(state, step) {
    const changes = new Map(step ? step.changes.map(([name, before, after]) => [name, [before, after]]) : []);
    const names = [...changes.keys(), ...[...state.keys()].filter((name) => !changes.has(name))];
    if (names.length === 0) return html("p", { class: "off" }, "no values to show");
    const row = (name) => {
      if (!changes.has(name)) return html("tr", {}, html("td", {}, name), html("td", {}, state.get(name)));
      const [before, after] = changes.get(name);
      return html("tr", { class: "changed" }, html("td", {}, name), html("td", {}, after ?? "gone",
        html("span", { class: "was" }, before === null ? " (new)" : ` (was ${before})`)));
    };
    return html("div", { class: names.length > 30 ? "scroll long" : "scroll", tabindex: 0, role: "region", "aria-label": "state" }, html("table", { class: "values state" },
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "name"), html("th", { scope: "col" }, "value"))),
      html("tbody", {}, names.map(row))));
  }

  function source(position, failedAt) {
    const name = position && sources[position.file] !== undefined ? position.file : Object.keys(sources)[0];
    if (name === undefined) return [];
    const touched = new Set(failure.steps.filter((s) => s.at && s.at.file === name).map((s) => s.at.line));
    const lines = sources[name].split("\n").map((text, i) => {
      const is = (place) => place && place.file === name && place.line === i + 1;
      const here = is(position);
      const classes = (here ? "here " : "") + (is(failedAt) ? "failing " : "") + (touched.has(i + 1) ? "touched" : "");
      return html("div", { class: classes.trim() || null, "aria-current": here ? "location" : null, title: is(failedAt) ? "fails here" : null }, html("span", {}, String(i + 1)), text);
    });
    return [html("div", { class: "source", tabindex: 0, role: "region", "aria-label": "source " + name }, lines)];
  }

  // What the lines and frames mean, as far as they occur.
  function legend() {
    const uses = (message) => failure.steps.some((s) => s.arrows.some((sent) => sent.message === message));
    const items = [uses(true) && ["message", "message"], uses(false) && ["creation", "starts a process"],
      failure.waits.length > 0 && ["waiting", "waits for"], race && ["racing", "the two that race"]].filter((item) => item);
    const sample = (kind) => svg("svg", { width: 34, height: 12, class: kind, "aria-hidden": "true" }, svg("line", { x1: 2, y1: 6, x2: 32, y2: 6 }));
    return html("p", { class: "legend note" }, items.map(([kind, meaning]) => html("span", {}, sample(kind), " " + meaning)),
      html("span", {}, "keys in the diagram: arrows, Home, End" + (race ? ", r for the race" : "")));
  }

  const race = failure.race;
  const buttons = html("div", { class: "bar" },
    html("button", { type: "button", onclick: () => go(at - 1, true), title: "left arrow or k" }, failure.walk ? "◀ look at the step before" : "◀ back"),
    html("button", { type: "button", onclick: () => go(at + 1, true), title: "right arrow or j" }, failure.walk ? "at the next ▶" : "next ▶"),
    race && html("button", { type: "button", onclick: toTheRace, title: "r" }, "to the race"),
    failure.steps.length > 1 && html("button", { type: "button", "aria-pressed": "false", title: "which step depends on which", onclick: (event) => {
      ordered = !ordered;
      event.target.setAttribute("aria-pressed", String(ordered));
      picture.order(ordered);
    } }, "what happens before what"),
    failure.schedule && html("a", { class: "button", download: failure.scheduleName, href: failure.schedule }, "download the schedule"));
  const meaning = race && (race.decisive ? "in the other order this failure does not happen" + (race.instead ? `, but another one does: ${race.instead}` : "") : "the last race before the failure");
  const second = race && (race.wait === null ? `step ${race.step + 1}` : `what ${failure.waits[race.wait].process} waits to do`);
  const shorter = failure.reduced && (failure.reduced.steps > failure.steps.length || failure.reduced.switches > failure.switches);
  const found = shorter ? `, minimised from ${plural(failure.reduced.steps, "step")} with ${plural(failure.reduced.switches, "context switch")}` : "";
  const happened = failure.explanation.map((text, i) => html("p", {}, i === 0 ? html("strong", { class: "bad" }, failure.kind + ": ") : null, text));
  holder.replaceChildren(html("div", {}, happened,
    failure.waits.length > 0 ? html("ul", { class: "waits" }, failure.waiting.map((text) => html("li", {}, text))) : null,
    race ? html("p", {}, html("span", { class: "dot" }, "● "), `step ${race.first + 1} and ${second} race${race.locations.length ? " on " + race.locations.join(", ") : ""}: ${meaning}`) : null,
    html("p", { class: "note" }, `${plural(failure.steps.length, "step")} with ${plural(failure.switches, "context switch")}${found}`),
    failure.command ? html("p", { class: "note" }, "replay: ", html("code", {}, failure.command)) : null,
    buttons, legend(), live, split));
  const failing = failure.steps.findIndex((s) => s.failure !== null);
  at = start !== undefined ? start : failing >= 0 ? failing : Math.max(0, failure.steps.length - 1);
  layOut();
  watchWidth(split, () => { if (split.isConnected && split.clientWidth !== known) layOut(); });
}
