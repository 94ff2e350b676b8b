// Final states, and the algorithms side by side as a table and a chart.
// Each may have an execution that leads there, which `show` shows.
function showFinals(states, show) {
  const names = [...new Set(states.flatMap((s) => s.values.map(([name]) => name)))];
  // Only the values that differ make columns: what all states share is said once.
  const of = (state, name) => { const found = state.values.find(([n]) => n === name); return found ? found[1] : ""; };
  const differing = names.filter((name) => states.some((s) => of(s, name) !== of(states[0], name)));
  const shared = names.filter((name) => !differing.includes(name));
  const how = states.some((state) => state.sample !== null);
  // What leads there comes before the values, which may be many.
  const rows = states.slice(0, 1000).map((state, i) => html("tr", {}, html("td", { class: "n" }, String(i + 1)),
    html("td", { class: "whole" }, html("span", { class: "tag " + state.end }, state.end)),
    how ? html("td", { class: "whole" }, state.sample === null ? null : html("button", { type: "button", "aria-label": `show how to state ${i + 1}`, onclick: () => show(state.sample, i) }, "show how")) : null,
    html("td", { class: "n" }, state.executions.toLocaleString("en")),
    differing.map((name) => html("td", { class: longestWord(of(state, name)) > 30 ? "broken" : null }, of(state, name)))));
  section("finals", plural(states.length, "final state"),
    shared.length ? html("p", { class: "note" }, "in all of them: ", html("code", {}, shared.map((n) => `${n} = ${of(states[0], n)}`).join(", "))) : null,
    html("div", { class: rows.length > 30 ? "scroll long" : "scroll", tabindex: 0, role: "region", "aria-label": "final states" }, html("table", { class: "values finals" }, html("thead", {}, html("tr", {}, html("th", { class: "n", scope: "col" }, "state"),
      html("th", { scope: "col" }, "ended"), how ? html("th", { scope: "col" }, "how") : null, html("th", { class: "n", scope: "col" }, "executions"),
      differing.map((name) => html("th", { scope: "col" }, name)))), html("tbody", {}, rows))),
    states.length > 1000 ? html("p", { class: "note" }, `the first 1,000 of ${states.length.toLocaleString("en")}`) : null);
}

function longestWord(text) {
  return Math.max(...text.split(/\s+/).map((word) => word.length));
}

/** The name of an algorithm, which may be broken between its parts. */
function inParts(name) {
  return name.split(/(?<=[+:])/).flatMap((part, i) => i === 0 ? [part] : [html("wbr", {}), part]);
}

function showComparison(rows) {
  const measures = { executions: "executions", blocked: "blocked", cut: "cut", steps: "steps", states: "states", max_depth: "depth", elapsed_us: "time" };
  const names = Object.keys(measures);
  const shown = (row, measure) => measure === "elapsed_us" ? row.elapsed : row[measure].toLocaleString("en");
  const table = html("table", { class: "numbers" }, html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "algorithm"), html("th", { scope: "col" }, "verdict"),
    names.map((n) => html("th", { class: "n", scope: "col" }, measures[n])))),
    html("tbody", {}, rows.map((row) => row.refused !== undefined
      ? html("tr", { class: "off" }, html("td", {}, inParts(row.algorithm)), html("td", { class: "reason", colspan: names.length + 1 }, row.refused))
      : html("tr", {}, html("td", {}, inParts(row.algorithm)), html("td", { class: { violation: "bad", complete: "good" }[row.verdict] }, row.verdict + (row.limit ? ` (${row.limit})` : "") + (row.sound ? "" : " (unsound)")),
        names.map((n) => html("td", { class: "n" }, shown(row, n)))))));
  const holder = html("div", {});
  let known = 0; // the width that the chart was made for
  const choose = html("select", { id: "measure", onchange: () => draw() }, names.filter((n) => n !== "max_depth").map((n) =>
    html("option", { value: n }, measures[n])));

  // One bar per algorithm, as wide as the page has room for. Numbers of executions differ by orders of magnitude, so the scale is logarithmic.
  function draw() {
    const measure = choose.value;
    known = holder.clientWidth;
    const ran = rows.filter((row) => row.refused === undefined);
    const most = Math.log10(Math.max(1, ...ran.map((row) => row[measure])) + 1);
    const label = (row) => shown(row, measure) + (row.limit ? " so far" : "");
    const widest = (texts) => Math.max(0, ...texts.map((text) => ruler.measureText(text).width));
    const left = 10 + widest(ran.map((row) => row.algorithm));
    const right = 12 + widest(ran.map(label));
    const width = Math.max(left + right + 40, Math.min(holder.clientWidth || 600, 900));
    const room = width - left - right;
    const bars = ran.map((row, i) => {
      const length = Math.max(2, room * Math.log10(row[measure] + 1) / most);
      return svg("g", { "data-algorithm": row.algorithm },
        svg("text", { x: left - 8, y: 17 + 26 * i, "text-anchor": "end" }, row.algorithm),
        svg("rect", { x: left, y: 4 + 26 * i, width: length, height: 18, rx: 3, class: row.limit ? "over" : null }),
        svg("text", { x: left + length + 6, y: 17 + 26 * i }, label(row)));
    });
    const title = `${measures[measure]} of each algorithm, on a logarithmic scale`;
    const all = ran.map((row) => `${row.algorithm} ${label(row)}`).join(", ");
    holder.replaceChildren(svg("svg", { class: "chart", width, height: 26 * ran.length + 8, role: "img", "aria-label": `${title}: ${all}` }, svg("title", {}, title), bars));
  }
  section("comparison", "Algorithms side by side", html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "comparison" }, table),
    html("div", { class: "bar" }, html("label", { for: "measure" }, "chart of"), choose, html("span", { class: "note" }, "on a logarithmic scale")), holder);
  draw();
  watchWidth(holder, () => { if (holder.clientWidth !== known) draw(); });
}
