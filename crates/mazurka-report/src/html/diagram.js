// A failure as a sequence diagram: lifelines from left to right, steps from top to bottom, messages, creations and waits as arrows.
const ROW = 34; // the height of a step
const ARROW = 24; // the height of an arrow under it
const MARGIN = 34; // room for step numbers and the race on the left

/**
 * Builds the diagram. `select(kind, index)` is called when a step or a wait is chosen; the result has `mark(kind, index)`, which shows the
 * choice.
 */
function diagram(failure, select) {
  const columns = failure.columns;
  const longest = (name) => Math.max(name.length, ...failure.steps.filter((s) => s.column === name).map((s) => s.label.length),
    ...failure.waits.filter((w) => w.column === name).map((w) => w.what.length + 10));
  const widths = columns.map((name) => Math.min(250, Math.max(110, 7 * longest(name) + 50)));
  const left = widths.map((_, at) => MARGIN + widths.slice(0, at).reduce((a, b) => a + b, 0));
  const middle = (name) => {
    const at = columns.indexOf(name);
    return left[at] + widths[at] / 2;
  };
  const width = MARGIN + widths.reduce((a, b) => a + b, 0) + 20;
  const boxes = new Map();
  const shapes = [];
  let y = 10;

  function box(kind, index, item, text, classes, name) {
    const at = columns.indexOf(item.column);
    const group = svg("g", { class: "step " + classes, tabindex: -1, role: "button", "aria-label": name, "data-step": `${kind} ${index}` },
      svg("title", {}, name),
      svg("rect", { x: left[at] + 6, y, width: widths[at] - 12, height: ROW - 8, rx: 6 }),
      svg("text", { x: left[at] + 14, y: y + 17 }, cut(text, Math.floor((widths[at] - 28) / 6.6))));
    if (kind === "step") group.append(svg("text", { class: "number", x: 4, y: y + 17 }, String(index + 1)));
    group.addEventListener("click", () => select(kind, index));
    boxes.set(`${kind} ${index}`, { group, y: y + (ROW - 8) / 2, x: left[at] + 6, width: widths[at] - 12 });
    shapes.push(group);
    y += ROW;
  }

  function arrow(classes, from, to, text) {
    const [start, end] = [middle(from), middle(to)];
    const tip = y + 12;
    let line, label;
    if (start === end) {
      line = svg("path", { d: `M${start} ${y - 6} h26 v18 h-22`, "marker-end": `url(#${classes})` });
      label = svg("text", { x: start + 32, y: tip }, cut(text, 40));
    } else {
      const gap = end > start ? -3 : 3;
      line = svg("line", { x1: start, y1: tip, x2: end + gap, y2: tip, "marker-end": `url(#${classes})` });
      const room = Math.abs(end - start) / 6.2;
      label = svg("text", { x: (start + end) / 2, y: tip - 4, "text-anchor": "middle" }, cut(text, Math.max(8, Math.floor(room))));
    }
    shapes.push(svg("g", { class: classes, "data-from": from, "data-to": to }, svg("title", {}, `${text}: ${from} to ${to}`), line, label));
    y += ARROW;
  }

  failure.steps.forEach((step, index) => {
    const race = failure.race && (failure.race.first === index || failure.race.step === index);
    const fails = step.failure !== null;
    const name = `step ${index + 1}, ${step.process}: ${step.label}${race ? ", races" : ""}${fails ? ", fails" : ""}`;
    box("step", index, step, (race ? "● " : "") + (fails ? "✗ " : "") + step.label, (race ? "race " : "") + (fails ? "fails" : ""), name);
    step.sends.forEach(([receiver, text]) => arrow("message", step.column, receiver, text));
    step.births.forEach(([child, column]) => {
      if (!step.sends.some(([receiver]) => receiver === column)) arrow("creation", step.column, column, "start " + child);
    });
  });
  failure.waits.forEach((wait, index) => {
    const race = failure.race && failure.race.wait === index;
    const name = `${wait.process} waits for ${wait.what}${wait.on ? ", held up by " + wait.on : ""}${race ? ", races" : ""}`;
    box("wait", index, wait, (race ? "● " : "") + "waits for " + wait.what, "wait " + (race ? "race" : ""), name);
    if (wait.onColumn) arrow("waiting", wait.column, wait.onColumn, "waits for " + wait.on);
  });

  const picture = svg("svg", { width, height: y + 10, role: "group", "aria-label": "sequence diagram" },
    svg("defs", {}, ["message", "creation", "waiting"].map((kind) =>
      svg("marker", { id: kind, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" },
        svg("path", { d: "M0 0 L8 4 L0 8 z", style: "stroke:none", fill: `var(--${{ message: "accent", creation: "good", waiting: "bad" }[kind]})` })))),
    columns.map((name) => svg("line", { class: "lifeline", "data-column": name, x1: middle(name), x2: middle(name), y1: 0, y2: y + 10 })),
    shapes);
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
  const heads = html("div", { class: "heads", style: `width:${width}px` },
    columns.map((name, at) => html("span", { style: `left:${left[at]}px;width:${widths[at]}px`, title: name }, name)));
  const element = html("div", { class: "diagram" }, heads, picture);

  let current = null;
  function mark(kind, index) {
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
    // Scroll only as far as needed: a picture that fits stays where it is.
    const [top, bottom] = [current.y - 20, current.y + 70];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    const [start, stop] = [current.x - MARGIN, current.x + current.width + 12];
    if (start < element.scrollLeft) element.scrollLeft = start;
    else if (stop > element.scrollLeft + element.clientWidth) element.scrollLeft = Math.min(start, stop - element.clientWidth);
  }
  return { element, mark, focus: () => current && current.group.focus({ preventScroll: true }) };
}
