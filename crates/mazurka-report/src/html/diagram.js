// A failure as a sequence diagram: lifelines from left to right, steps from top to bottom, messages, creations and waits as arrows.
const LINE = 15; // the height of a line of text
const ARROW = 24; // the height of an arrow under a step
const EDGE = 22; // room for the race beside the first lifeline
const NARROW = 86; // no lifeline gets less than this
const WIDEST = 420; // nor more than this
const LINES = 10; // no step gets more lines than this; the whole text is beside the diagram
const TALLEST = 9000; // a taller diagram scrolls inside of its own box; others are as tall as they are
const ruler = document.createElement("canvas").getContext("2d");
const FONT = "12px system-ui, sans-serif";
ruler.font = FONT;

/** The text in lines that fit into `room` pixels, broken at spaces, in longer words after signs, cut after `most` of them. */
function inLines(text, room, most = LINES) {
  const fits = (line) => ruler.measureText(line.trimEnd()).width <= room;
  const words = text.split(/(?<=\s)/).flatMap((word) => fits(word) ? [word] : word.split(/(?<=[(),;.&|:])/));
  const lines = [""];
  for (let rest of words) {
    if (fits(lines[lines.length - 1] + rest)) {
      lines[lines.length - 1] += rest;
      continue;
    }
    if (lines[lines.length - 1] !== "") lines.push("");
    while (!fits(rest)) {
      let length = rest.length - 1;
      while (length > 1 && !fits(rest.slice(0, length))) length--;
      lines[lines.length - 1] = rest.slice(0, length);
      lines.push("");
      rest = rest.slice(length);
    }
    lines[lines.length - 1] = rest;
  }
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), shortened(lines.slice(most - 1).join(""), room)];
}

/** The text, cut to so many pixels. */
function shortened(text, room) {
  if (ruler.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 1 && ruler.measureText(text.slice(0, length) + "…").width > room) length--;
  return text.slice(0, length) + "…";
}

/** The width of each lifeline: what its texts want, less where there is no room for that. */
function lifelineWidths(failure, room) {
  const wanted = failure.columns.map((name) => {
    const texts = [name, ...failure.steps.filter((s) => s.column === name).flatMap((s) => ["● ✗ " + s.label, ...s.touched]),
      ...failure.waits.filter((w) => w.column === name).map((w) => "● waits for " + w.what)];
    return Math.min(WIDEST, Math.max(110, ...texts.map((text) => ruler.measureText(text).width + 34)));
  });
  const total = wanted.reduce((a, b) => a + b, 0);
  if (total <= room) return wanted;
  // The wide ones give first: the widest width that fits for all.
  let most = WIDEST;
  const fitting = () => wanted.map((w) => Math.min(w, most));
  while (most > NARROW && fitting().reduce((a, b) => a + b, 0) > room) most -= 2;
  return fitting();
}

/** The size of a lifeline's name: smaller where its longest word would not fit, so that names break between words. */
function headSize(name, room) {
  ruler.font = "600 13px system-ui, sans-serif";
  const longest = Math.max(...name.split(/\s+/).map((word) => ruler.measureText(word).width));
  ruler.font = FONT;
  return Math.max(9, Math.min(13, Math.floor(13 * (room - 12) / longest)));
}

/** How much room the diagram needs at least. */
function leastWidth(failure) {
  return EDGE + NARROW * failure.columns.length + 12;
}

let diagrams = 0; // arrowheads have names of their own in each: one that is in a hidden part of the page is not drawn elsewhere

/**
 * Builds the diagram for `room` pixels. `select(kind, index)` is called when a step or a wait is chosen; the result has `mark(kind, index)`,
 * which shows the choice.
 */
function diagram(failure, room, select) {
  const own = ++diagrams;
  const columns = failure.columns;
  const gutter = 10 + 8 * String(failure.steps.length).length;
  const widths = lifelineWidths(failure, room - gutter - EDGE - 14);
  const left = widths.map((_, at) => EDGE + widths.slice(0, at).reduce((a, b) => a + b, 0));
  const middle = (name) => {
    const at = columns.indexOf(name);
    return left[at] + widths[at] / 2;
  };
  const width = EDGE + widths.reduce((a, b) => a + b, 0) + 10;
  const boxes = new Map();
  const shapes = [];
  const numbers = [];
  let y = 8;

  function box(kind, index, item, text, values, classes, name) {
    const at = columns.indexOf(item.column);
    const room = widths[at] - 26;
    const lines = inLines(text, room).map((line) => [line, null]);
    for (const value of values) lines.push(...inLines(value, room, 3).map((line) => [line, "value"]));
    const height = LINE * lines.length + 11;
    const group = svg("g", { class: "step " + classes, tabindex: -1, role: "button", "aria-label": name, "data-step": `${kind} ${index}` },
      svg("title", {}, name),
      svg("rect", { x: left[at] + 5, y, width: widths[at] - 10, height, rx: 6 }),
      svg("text", {}, lines.map(([line, kind], nth) => svg("tspan", { class: kind, x: left[at] + 13, y: y + 17 + LINE * nth }, line))));
    if (kind === "step") numbers.push(svg("text", { x: gutter - 4, y: y + 17, "text-anchor": "end" }, String(index + 1)));
    group.addEventListener("click", () => select(kind, index));
    boxes.set(`${kind} ${index}`, { group, y: y + height / 2, top: y, bottom: y + height, x: left[at] + 5, width: widths[at] - 10 });
    shapes.push(group);
    y += height + 8;
  }

  // What is on its way: the arrows whose handling step comes later go down beside its lifeline until there.
  const under = []; // drawn below the boxes
  const travelling = [];
  const taken = new Map(); // which lanes beside each lifeline are in use

  function arrow(classes, from, to, text, step) {
    const tip = y + 12;
    const start = middle(from);
    let line, label;
    if (step !== null) {
      const lanes = taken.get(to) || new Set();
      taken.set(to, lanes);
      let lane = 0;
      while (lanes.has(lane)) lane++;
      lanes.add(lane);
      // Lanes alternate around the lifeline: the middle, right, left, and so on.
      const aside = Math.min(widths[columns.indexOf(to)] / 2 - 16, 9 * Math.ceil(lane / 2));
      const end = middle(to) + (lane % 2 ? aside : -aside);
      const turn = start === end ? `M${start} ${y - 8} v6 h26 v14 H${end}` : `M${start} ${tip} H${end}`;
      travelling.push({ classes, from, to, text, step, turn, tip, start, end, lane });
      y += ARROW;
      return;
    }
    const end = middle(to);
    if (start === end) {
      line = svg("path", { d: `M${start} ${y - 8} v6 h26 v14 h-22`, "marker-end": `url(#${classes}-${own})` });
      label = svg("text", { x: start + 32, y: tip + 1 }, shortened(text, Math.max(60, width - start - 44)));
    } else {
      const gap = end > start ? -3 : 3;
      line = svg("line", { x1: start, y1: tip, x2: end + gap, y2: tip, "marker-end": `url(#${classes}-${own})` });
      label = svg("text", { x: (start + end) / 2, y: tip - 4, "text-anchor": "middle" }, shortened(text, Math.max(70, Math.abs(end - start) - 14)));
    }
    shapes.push(svg("g", { class: classes, "data-from": from, "data-to": to }, svg("title", {}, `${text}: ${from} to ${to}, not handled here`), line, label));
    y += ARROW;
  }

  // The arrows that end at the step that begins here.
  function arrive(index) {
    for (const a of travelling.filter((a) => a.step === index)) {
      travelling.splice(travelling.indexOf(a), 1);
      taken.get(a.to).delete(a.lane);
      const room = Math.max(70, Math.abs(a.end - a.start) - 14);
      under.push(svg("g", { class: a.classes, "data-from": a.from, "data-to": a.to, "data-handled": index + 1 },
        svg("title", {}, `${a.text}: ${a.from} to ${a.to}, handled in step ${index + 1}`),
        svg("path", { d: `${a.turn} V${y - 1}`, "marker-end": `url(#${a.classes}-${own})` })));
      // The label is above all lines.
      shapes.push(svg("g", { class: a.classes + " label" }, a.start === a.end
        ? svg("text", { x: a.start + 32, y: a.tip + 1 }, shortened(a.text, Math.max(60, width - a.start - 44)))
        : svg("text", { x: (a.start + a.end) / 2, y: a.tip - 4, "text-anchor": "middle" }, shortened(a.text, room))));
    }
  }

  // Where the loop of an execution begins that never ends.
  function fromHereOn(text) {
    shapes.push(svg("g", { class: "again" },
      svg("line", { x1: EDGE - 12, x2: width - 4, y1: y + 6, y2: y + 6 }),
      svg("text", { x: EDGE, y: y + 21 }, text)));
    y += 30;
  }

  failure.steps.forEach((step, index) => {
    if (failure.repeats === index) fromHereOn("↻ from here on, for ever");
    const race = failure.race && (failure.race.first === index || failure.race.step === index);
    const fails = step.failure !== null;
    const name = `step ${index + 1}, ${step.process}: ${step.label}${race ? ", races" : ""}${fails ? ", fails" : ""}`;
    arrive(index);
    box("step", index, step, (race ? "● " : "") + (fails ? "✗ " : "") + step.label, step.touched, (race ? "race " : "") + (fails ? "fails" : ""), name);
    for (const sent of step.arrows) arrow(sent.message ? "message" : "creation", step.column, sent.column, sent.message ? sent.text : "start " + sent.text, sent.to);
  });
  if (failure.repeats === failure.steps.length) fromHereOn("↻ and so it stays, for ever");
  failure.waits.forEach((wait, index) => {
    const race = failure.race && failure.race.wait === index;
    const name = `${wait.process} waits for ${wait.what}${wait.on ? ", held up by " + wait.on : ""}${race ? ", races" : ""}`;
    box("wait", index, wait, (race ? "● " : "") + "waits for " + wait.what, [], "wait " + (race ? "race" : ""), name);
    if (wait.onColumn && wait.onColumn !== wait.column) arrow("waiting", wait.column, wait.onColumn, "waits for " + wait.on, null);
  });
  const height = y + 8;

  const picture = svg("svg", { width, height, role: "group", "aria-label": "sequence diagram" },
    svg("defs", {}, ["message", "creation", "waiting", "before"].map((kind) =>
      svg("marker", { id: `${kind}-${own}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" },
        svg("path", { d: "M0 0 L8 4 L0 8 z", style: "stroke:none", fill: `var(--${{ message: "accent", creation: "good", waiting: "bad", before: "faint" }[kind]})` })))),
    columns.map((name) => svg("line", { class: "lifeline", "data-column": name, x1: middle(name), x2: middle(name), y1: 0, y2: height })),
    under, shapes);
  picture.append(svg("g", { class: "before" }, failure.steps.flatMap((step, index) => step.causes.map((cause) => {
    const [from, to] = [boxes.get("step " + cause), boxes.get("step " + index)];
    const [x1, x2] = [from.x + from.width - 8, to.x + to.width - 8];
    return svg("g", {}, svg("title", {}, `step ${cause + 1} happens before step ${index + 1}`),
      svg("path", { d: `M${x1} ${from.bottom} C${x1} ${from.bottom + 24} ${x2} ${to.top - 24} ${x2} ${to.top}`, "marker-end": `url(#before-${own})` }));
  }))));
  if (failure.race) {
    const first = boxes.get("step " + failure.race.first);
    const second = failure.race.wait === null ? boxes.get("step " + failure.race.step) : boxes.get("wait " + failure.race.wait);
    if (first && second) {
      const x = Math.min(first.x, second.x);
      const bend = x - 14;
      picture.append(svg("g", { class: "racing" }, svg("title", {}, "these two race on " + failure.race.locations.join(", ")),
        svg("path", { d: `M${first.x} ${first.y} L${x} ${first.y} C${bend} ${first.y} ${bend} ${second.y} ${x} ${second.y} L${second.x} ${second.y}` })));
    }
  }
  const heads = html("div", { class: "heads", style: `width:${gutter + width}px;padding-left:${gutter + EDGE}px` },
    columns.map((name, at) => html("span", { style: `width:${widths[at]}px;font-size:${headSize(name, widths[at])}px`, title: name }, name)));
  // The step numbers stay in sight when the diagram is moved sideways.
  const side = svg("svg", { class: "numbers", width: gutter, height, "aria-hidden": "true" }, numbers);
  // A scroll box on a page with room is in the way; one that is too wide needs it.
  const fits = gutter + width <= room && height < TALLEST;
  const element = html("div", { class: "diagram" + (fits ? " whole" : "") }, heads, html("div", { class: "body", style: `width:${gutter + width}px` }, side, picture));

  let current = null;

  /** Shows what is chosen, wherever the page is. */
  function choose(kind, index) {
    if (current) {
      current.group.classList.remove("current");
      current.group.setAttribute("tabindex", -1);
      current.group.removeAttribute("aria-current");
    }
    current = boxes.get(`${kind} ${index}`) || null;
    if (!current) return;
    current.group.classList.add("current");
    current.group.setAttribute("tabindex", 0);
    current.group.setAttribute("aria-current", "step");
  }

  /** The same, and moves it into sight. */
  function mark(kind, index) {
    choose(kind, index);
    if (!current) return;
    // Scroll only as far as needed: a picture that fits stays where it is.
    const head = heads.offsetHeight;
    if (fits) {
      const seen = current.group.getBoundingClientRect();
      if (seen.top < head + 8 || seen.bottom > innerHeight - 8) scrollBy(0, seen.top < head + 8 ? seen.top - head - 40 : seen.bottom - innerHeight + 40);
      return;
    }
    const [top, bottom] = [current.top - 12, current.bottom + head + 12];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    const [start, stop] = [current.x - EDGE, gutter + current.x + current.width + 12];
    if (start < element.scrollLeft) element.scrollLeft = start;
    else if (stop > element.scrollLeft + element.clientWidth) element.scrollLeft = Math.min(start, stop - element.clientWidth);
  }
  return { element, mark, choose, order: (shown) => element.classList.toggle("ordered", shown), focus: () => current && current.group.focus({ preventScroll: true }) };
}
