// The exploration tree. Only the rows that can be seen exist, so that ten thousand nodes are no more work than thirty.
// What ends are called: as the counts of the search are.
const END_NAMES = { finished: "finished", failed: "failed", deadlock: "deadlock", sleep: "blocked", context: "cut", bound: "too deep" };

function showTree(tree) {
  const HEIGHT = 24;
  const parents = tree.nodes.map((n) => n[0]);
  const who = (i) => tree.words[tree.nodes[i][1]];
  const what = (i) => tree.words[tree.nodes[i][2]];
  const end = (i) => tree.nodes[i][3];
  const children = tree.nodes.map(() => []);
  for (let i = 1; i < tree.nodes.length; i++) children[parents[i]].push(i);
  // Steps without an alternative stay at the level of the one before: only branches move to the right.
  const level = new Array(tree.nodes.length).fill(0);
  for (let i = 1; i < tree.nodes.length; i++) level[i] = level[parents[i]] + (children[parents[i]].length > 1 ? 1 : 0);
  // What a node hides when it is closed: the nodes below it.
  const size = new Array(tree.nodes.length).fill(1);
  for (let i = tree.nodes.length - 1; i > 0; i--) size[parents[i]] += size[i];
  const reasons = { sleep: "everything enabled here sleeps: explored from another node", context: "this state had been reached before: cut, or merged with it",
    bound: "cut at the depth limit", deadlock: "some process waits for ever", failed: "a step failed", finished: "every process finished" };

  const open = new Set();
  for (let i = 0; i < tree.nodes.length && open.size < 40; i++) open.add(i);
  let rows = [];
  let current = 0;
  let hits = new Set();
  const box = html("div", { class: "tree", role: "tree", tabindex: 0, "aria-label": "exploration tree", "aria-activedescendant": "tree-row-0" });
  const space = html("div", { style: "position:relative" });
  box.append(space);
  const path = html("p", { class: "note", "aria-live": "polite" });
  const found = html("span", { class: "note", role: "status" });

  // The rows that are not hidden in a closed node, in order, found without recursion: executions may be long.
  function layOut() {
    rows = [];
    const todo = [0];
    while (todo.length > 0) {
      const node = todo.pop();
      rows.push(node);
      if (open.has(node)) for (let c = children[node].length - 1; c >= 0; c--) todo.push(children[node][c]);
    }
    space.style.height = rows.length * HEIGHT + "px";
    box.style.height = Math.min(rows.length, 16) * HEIGHT + 2 + "px";
    draw();
  }

  function draw() {
    const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - 5);
    const last = Math.min(rows.length, first + Math.ceil((box.clientHeight || 400) / HEIGHT) + 10);
    const drawn = [];
    for (let at = first; at < last; at++) drawn.push(row(rows[at], at));
    space.replaceChildren(...drawn);
    box.setAttribute("aria-activedescendant", "tree-row-" + current);
  }

  function row(node, at) {
    const inner = children[node].length > 0;
    const ended = end(node);
    const closed = inner && !open.has(node);
    return html("div", {
      class: "row" + (node === current ? " current" : "") + (hits.has(node) ? " hit" : ""), id: "tree-row-" + node, role: "treeitem",
      "aria-level": level[node] + 1, "aria-expanded": inner ? String(!closed) : null, "aria-selected": String(node === current),
      style: `top:${at * HEIGHT}px;padding-left:${8 + 14 * Math.min(level[node], 40)}px`,
      onclick: (event) => { choose(node); if (event.target.classList.contains("twist")) toggle(node); },
      ondblclick: () => toggle(node),
    }, html("span", { class: "twist", "aria-hidden": "true" }, inner ? (closed ? "▸" : "▾") : " "),
    html("span", { class: "label" }, who(node) ? html("span", { class: "who" }, who(node) + ": ") : null, what(node)),
    ended ? html("span", { class: "tag " + ended, title: reasons[ended] }, END_NAMES[ended]) : null,
    closed ? html("span", { class: "who" }, `${plural(size[node] - 1, "step")} inside`) : null);
  }

  function toggle(node) {
    if (children[node].length === 0) return;
    if (!open.delete(node)) open.add(node);
    layOut();
  }

  function choose(node) {
    current = node;
    const steps = [];
    for (let i = node; i !== 0; i = parents[i]) steps.push(i);
    steps.reverse();
    const shown = steps.slice(-12).map((i) => `${who(i)}: ${what(i)}`);
    const why = reasons[end(node)];
    path.textContent = `${plural(steps.length, "step")} from the start` + (why ? ` (${why})` : "") + (shown.length ? `: ${steps.length > 12 ? "… " : ""}${shown.join(" → ")}` : "");
    draw();
  }

  function reveal(node) {
    for (let i = parents[node]; ; i = parents[i]) { open.add(i); if (i === 0) break; }
    layOut();
    const at = rows.indexOf(node);
    if (at * HEIGHT < box.scrollTop || (at + 1) * HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = at * HEIGHT - box.clientHeight / 2;
    choose(node);
  }

  function search(text) {
    hits = new Set();
    const wanted = text.trim().toLowerCase();
    if (wanted) tree.nodes.forEach((_, i) => { if (`${who(i)}: ${what(i)} ${END_NAMES[end(i)] || ""}`.toLowerCase().includes(wanted)) hits.add(i); });
    found.textContent = wanted ? plural(hits.size, "match") : "";
    draw();
  }

  function nextHit(direction) {
    const list = [...hits];
    if (list.length === 0) return;
    const later = direction > 0 ? list.find((i) => i > current) : list.findLast((i) => i < current);
    reveal(later === undefined ? (direction > 0 ? list[0] : list[list.length - 1]) : later);
  }

  box.addEventListener("scroll", draw);
  box.addEventListener("keydown", (event) => {
    const at = rows.indexOf(current);
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, PageDown: at + 15, PageUp: at - 15 };
    if (event.key in moves) reveal(rows[Math.max(0, Math.min(rows.length - 1, moves[event.key]))]);
    else if (event.key === "ArrowRight") { if (!open.has(current)) toggle(current); else if (children[current].length) reveal(children[current][0]); }
    else if (event.key === "ArrowLeft") { if (open.has(current) && children[current].length) toggle(current); else reveal(parents[current]); }
    else if (event.key === "Enter" || event.key === " ") toggle(current);
    else return;
    event.preventDefault();
  });
  const field = html("input", { type: "search", id: "tree-search", class: "grow", placeholder: "process, step, or why it ended", oninput: (event) => search(event.target.value),
    onkeydown: (event) => { if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1); } });
  const more = tree.truncated ? html("p", { class: "note" }, `The search took more steps; these are the first ${plural(tree.nodes.length - 1, "step")}.`) : null;
  // Which ends there are, how many, and what each means.
  const ends = new Map();
  tree.nodes.forEach((_, i) => { if (end(i)) ends.set(end(i), (ends.get(end(i)) || 0) + 1); });
  const summary = html("ul", { class: "ends" }, [...ends].map(([name, n]) =>
    html("li", {}, html("span", { class: "tag " + name }, END_NAMES[name]), ` ${n.toLocaleString("en")} × ${reasons[name]}`)));
  section("tree", `Exploration tree, ${plural(tree.nodes.length, "node")}`, html("div", { class: "bar" },
    html("label", { for: "tree-search" }, "find"), field, found,
    html("button", { type: "button", onclick: () => nextHit(1) }, "next match"),
    html("button", { type: "button", onclick: () => { tree.nodes.forEach((_, i) => open.add(i)); layOut(); } }, "open all"),
    html("button", { type: "button", onclick: () => { open.clear(); choose(0); layOut(); } }, "close all")), summary, more, box, path);
  layOut();
  watchWidth(box, draw);
}
