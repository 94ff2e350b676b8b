// The graph of states: rows by distance from the start.

/** Draws the graph into `holder`; `open(steps)` shows an execution to a state. */
function showGraph(graph, holder, open) {
  const count = graph.states.length;
  const rows = [];
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const before = new Array(count).fill(null); // the edge by which a state was reached first
  const [WIDE, HIGH] = [46, 54];
  graph.edges.forEach((edge) => { if (edge[1] !== 0 && before[edge[1]] === null && graph.states[edge[1]].depth === graph.states[edge[0]].depth + 1) before[edge[1]] = edge; });
  graph.states.forEach((state, i) => { (rows[state.depth] ||= []).push(i); });
  const widest = Math.max(...rows.map((row) => row.length));
  for (const row of rows) {
    // Below the states it comes from, so that fewer lines cross.
    const from = (i) => before[i] === null ? 0 : x[before[i][0]];
    row.sort((a, b) => from(a) - from(b) || a - b);
    row.forEach((state, at) => {
      x[state] = WIDE * (at + (widest - row.length) / 2);
      y[state] = HIGH * graph.states[state].depth;
    });
  }
  let current = 0;
  const colourOf = (state) => state.end === undefined ? (state.more ? "warn" : "faint") : state.end === "finished" ? "good" : "bad";

  function draw(context, view, colour) {
    const at = (i) => [x[i] * view.scale + view.x, y[i] * view.rise + view.y];
    for (const [from, to, , , failure] of graph.edges) {
      const [[x1, y1], [x2, y2]] = [at(from), at(to)];
      if (Math.max(x1, x2) < -50 || Math.min(x1, x2) > view.width + 50 || Math.max(y1, y2) < 0 || Math.min(y1, y2) > view.height) continue;
      const chosen = from === current || to === current;
      context.strokeStyle = colour(failure ? "bad" : chosen ? "accent" : "faint");
      context.lineWidth = chosen || failure ? 1.8 : 0.8;
      context.beginPath();
      context.moveTo(x1, y1);
      if (from === to) context.arc(x1 + 8 * view.scale, y1, 8 * view.scale, Math.PI, 3 * Math.PI);
      else if (y2 > y1) context.lineTo(x2, y2);
      else context.quadraticCurveTo(Math.max(x1, x2) + 40 * view.scale, (y1 + y2) / 2, x2, y2);
      context.stroke();
    }
    const radius = Math.max(2, Math.min(10, 9 * view.scale));
    graph.states.forEach((state, i) => {
      const [px, py] = at(i);
      if (px < -10 || px > view.width + 10 || py < -10 || py > view.height + 10) return;
      context.fillStyle = colour(colourOf(state));
      context.beginPath();
      context.arc(px, py, radius, 0, 7);
      context.fill();
      if (i === current) {
        context.strokeStyle = colour("accent");
        context.lineWidth = 3;
        context.beginPath();
        context.arc(px, py, radius + 3, 0, 7);
        context.stroke();
      }
    });
  }

  function hit(px, py, view) {
    let [best, near] = [null, 196];
    for (let i = 0; i < count; i++) {
      const distance = ((x[i] - px) * view.scale) ** 2 + ((y[i] - py) * view.rise) ** 2;
      if (distance < near) [best, near] = [i, distance];
    }
    return best;
  }

  const pathTo = (state) => {
    const steps = [];
    for (let edge = before[state]; edge !== null; edge = before[edge[0]]) steps.push([edge[5], edge[6]]);
    return steps.reverse();
  };
  const values = (state) => state.values.map(([name, value]) => `${name} = ${value}`).join(", ") || "no values";
  const about = html("div", { "aria-live": "polite" });
  function choose(state, quiet) {
    current = state;
    const out = graph.edges.filter(([from]) => from === state);
    about.replaceChildren(html("p", {}, `State ${state}, ${plural(pathTo(state).length, "step")} from the start${graph.states[state].end ? `, ${graph.states[state].end}` : ""}: `, html("code", {}, values(graph.states[state]))),
      html("ul", { class: "plain" }, out.map(([, to, who, what, failure]) => html("li", {}, html("button", { type: "button", onclick: () => choose(to) }, `${who}: ${what}`), ` to state ${to}` + (failure ? `, fails: ${failure}` : "")))),
      html("div", { class: "bar" }, html("button", { type: "button", onclick: () => open(pathTo(state)) }, "explore from this state")));
    if (quiet !== true) picture.show(x[state], y[state]);
  }
  const keys = (key) => {
    const row = rows[graph.states[current].depth];
    const at = row.indexOf(current);
    const next = graph.edges.find(([from, to]) => from === current && graph.states[to].depth > graph.states[current].depth);
    const to = { ArrowLeft: row[at - 1], ArrowRight: row[at + 1], ArrowUp: before[current] === null ? undefined : before[current][0], ArrowDown: next && next[1] };
    if (key === "Enter") open(pathTo(current));
    else if (!(key in to)) return false;
    else if (to[key] !== undefined) choose(to[key]);
    return true;
  };
  const picture = drawing(`graph of ${plural(count, "state")}; arrow keys go through it`, {
    size: () => [WIDE * (widest - 1), HIGH * (rows.length - 1)], draw, hit, text: (i) => values(graph.states[i]) + (graph.states[i].end ? ` — ${graph.states[i].end}` : ""), choose, keys });
  holder.replaceChildren(html("section", { "aria-labelledby": "graph-heading" },
    html("h2", { id: "graph-heading" }, `${plural(count, "state")}, ${plural(graph.edges.length, "step")} between them`),
    html("p", { class: "note" }, "All states, not only those that a reduced search visits: green ends well, red fails." +
      (graph.truncated ? ` There are more; these are the ${count.toLocaleString("en")} nearest to the start.` : "")),
    picture.bar, picture.box, about));
  choose(0, true);
}
