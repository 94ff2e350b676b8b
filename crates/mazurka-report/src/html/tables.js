// Final states, and the algorithms side by side as a table and a chart.
function showFinals(states) {
  const names = [...new Set(states.flatMap((s) => s.values.map(([name]) => name)))];
  // Only the values that differ make columns: what all states share is said once.
  const of = (state, name) => { const found = state.values.find(([n]) => n === name); return found ? found[1] : ""; };
  const differing = names.filter((name) => states.some((s) => of(s, name) !== of(states[0], name)));
  const shared = names.filter((name) => !differing.includes(name));
  const rows = states.slice(0, 1000).map((state, i) => html("tr", {}, html("td", { class: "n" }, String(i + 1)),
    differing.map((name) => html("td", {}, of(state, name))),
    html("td", { class: "n" }, state.executions.toLocaleString("en")), html("td", {}, state.deadlock ? html("span", { class: "tag deadlock" }, "deadlock") : "")));
  section("finals", plural(states.length, "final state"),
    shared.length ? html("p", { class: "note" }, "in all of them: ", html("code", {}, shared.map((n) => `${n} = ${of(states[0], n)}`).join(", "))) : null,
    html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "final states" }, html("table", { class: "values" }, html("thead", {}, html("tr", {}, html("th", { class: "n", scope: "col" }, "state"),
      differing.map((name) => html("th", { scope: "col" }, name)), html("th", { class: "n", scope: "col" }, "executions"), html("th", { scope: "col" }, ""))), html("tbody", {}, rows))),
    states.length > 1000 ? html("p", { class: "note" }, `the first 1,000 of ${states.length.toLocaleString("en")}`) : null);
}

function showComparison(rows) {
  const numbers = ["executions", "blocked", "cut", "steps", "states", "max_depth", "elapsed_ms"];
  const heads = ["executions", "blocked", "cut", "steps", "states", "depth", "time (ms)"];
  const table = html("table", {}, html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "algorithm"), html("th", { scope: "col" }, "verdict"),
    heads.map((h) => html("th", { class: "n", scope: "col" }, h)))),
    html("tbody", {}, rows.map((row) => row.refused !== undefined
      ? html("tr", { class: "off" }, html("td", {}, row.algorithm), html("td", { colspan: numbers.length + 1 }, row.refused))
      : html("tr", {}, html("td", {}, row.algorithm), html("td", {}, row.verdict + (row.limit ? ` (${row.limit})` : "") + (row.sound ? "" : " (unsound)")),
        numbers.map((n) => html("td", { class: "n" }, row[n].toLocaleString("en")))))));
  const holder = html("div", { class: "scroll" });
  const choose = html("select", { id: "measure", onchange: (event) => draw(event.target.value) }, numbers.slice(0, 5).concat("elapsed_ms").map((n) =>
    html("option", { value: n }, heads[numbers.indexOf(n)])));

  // One bar per algorithm. Numbers of executions differ by orders of magnitude, so the scale is logarithmic.
  function draw(measure) {
    const ran = rows.filter((row) => row.refused === undefined);
    const most = Math.log10(Math.max(1, ...ran.map((row) => row[measure])) + 1);
    const left = 12 + 7.2 * Math.max(...ran.map((row) => row.algorithm.length));
    const room = 320;
    const bars = ran.map((row, i) => {
      const width = Math.max(2, room * Math.log10(row[measure] + 1) / most);
      return svg("g", { "data-algorithm": row.algorithm },
        svg("text", { x: left - 8, y: 17 + 26 * i, "text-anchor": "end" }, row.algorithm),
        svg("rect", { x: left, y: 4 + 26 * i, width, height: 18, rx: 3, class: row.limit ? "over" : null }),
        svg("text", { x: left + width + 6, y: 17 + 26 * i }, row[measure].toLocaleString("en") + (row.limit ? " so far" : "")));
    });
    const title = `${heads[numbers.indexOf(measure)]} of each algorithm, on a logarithmic scale`;
    holder.replaceChildren(svg("svg", { class: "chart", width: left + room + 130, height: 26 * ran.length + 8, role: "img", "aria-label": title }, svg("title", {}, title), bars));
  }
  section("comparison", "Algorithms side by side", html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "comparison" }, table),
    html("div", { class: "bar" }, html("label", { for: "measure" }, "chart of"), choose), holder);
  draw("executions");
}

if (data.comparison.length > 0) showComparison(data.comparison);
if (data.finals && data.finals.length > 0) showFinals(data.finals);
