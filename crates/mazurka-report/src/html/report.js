// Everything that a run found out, each part at its place of the page.
function showReport(data) {
  for (const place of ["failures", "samples", "comparison", "tree", "finals"]) document.getElementById(place).replaceChildren();
  if (data.failures.length > 0) {
    const holder = html("div", {});
    const one = data.failures.length === 1;
    const show = (at) => showFailure(data.failures[at], holder, data.sources);
    const choose = html("select", { id: "which", onchange: (event) => show(Number(event.target.value)) },
      data.failures.map((f, i) => html("option", { value: i }, `${i + 1}. ${f.kind}: ${cut(f.message, 80)}`)));
    section("failures", one ? "What happened" : plural(data.failures.length, "failure"),
      one ? null : html("div", { class: "bar" }, html("label", { for: "which" }, "show"), html("div", { class: "grow" }, choose)), holder);
    show(0);
  }
  // Executions that do not fail, one at a time.
  const sample = (at, title) => {
    const place = document.getElementById("samples");
    place.replaceChildren();
    const holder = html("div", {});
    section("samples", title, holder);
    showFailure(data.samples[at], holder, data.sources);
    return place;
  };
  if (data.failures.length === 0 && data.samples.length > 0) {
    const state = (data.finals || []).findIndex((final) => final.sample === 0);
    sample(0, state >= 0 ? `An execution to final state ${state + 1}` : "One of the executions");
  }
  if (data.comparison.length > 0) showComparison(data.comparison);
  if (data.finals && data.finals.length > 0) showFinals(data.finals, (at, state) => sample(at, `An execution to final state ${state + 1}`).scrollIntoView());
  if (data.tree && data.tree.nodes.length > 1) showTree(data.tree);
  else if (data.tree) section("tree", "Exploration tree", html("p", { class: "note" }, "There is none to show: a search that stores states goes through a graph of states, not a tree of executions. Another --algorithm, such as optimal, has one."));
}
