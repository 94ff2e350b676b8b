// Exploring by hand: what can be done here, what cannot and why, and how it came here as a diagram.

/** The explorer inside of `holder`. `program()` says what is explored; `moved(steps)` is told where it stands. */
function explorer(holder, program, moved) {
  let steps = [];
  let place = null;
  let asked = 0;
  let unanswered = null; // The last question, until its answer is there.

  async function go(question, focus) {
    const mine = ++asked;
    unanswered = question;
    try {
      const answered = await answer("walk", { ...program(), ...question });
      if (mine !== asked) return;
      unanswered = null;
      place = answered;
      steps = answered.steps;
      moved(steps);
      show(focus);
    } catch (error) {
      if (mine !== asked) return;
      unanswered = null;
      holder.replaceChildren(html("section", {}, html("p", { class: "bad", role: "alert", style: "white-space:pre-wrap" }, error.message)));
    }
  }

  const take = (step) => go({ steps: [...steps, step] }, true);

  function show(focus) {
    const { moves, execution, said } = place;
    const enabled = moves.filter((m) => m.enabled);
    const blocked = moves.filter((m) => !m.enabled);
    // Why it is blocked: the values that its guard reads, or else what the program says that it waits for.
    const because = (m) => {
      const wait = execution.waits.find((w) => w.process === m.process);
      if (wait && m.reads.every(([, value]) => value === null)) return `waits for ${wait.what}`;
      return m.reads.map(([name, value]) => value === null ? name : `${name} = ${value}`).join(", ");
    };
    const button = (text, question, title, off) => html("button", { type: "button", title, disabled: off, onclick: () => go(question, true) }, text);
    const failed = execution.message !== "no failure";
    const end = enabled.length === 0;
    const status = failed ? `${execution.kind}: ${execution.message}` : end ? "the end: every process has finished" : `${plural(steps.length, "step")} taken, ${plural(enabled.length, "step")} possible`;
    const heading = html("h2", { tabindex: -1, id: "walk-heading" }, failed ? `${execution.kind} after ${plural(steps.length, "step")}` : end ? `A good end after ${plural(steps.length, "step")}` : steps.length === 0 ? "At the start" : `After ${plural(steps.length, "step")}`);
    const choices = html("ul", { class: "moves" },
      enabled.map((m, i) => html("li", {}, html("button", { type: "button", onclick: () => take(m.step), title: i < 9 ? `key ${i + 1}` : null, "data-process": m.process },
        html("span", { class: "who" }, m.process + ": "), html("code", {}, m.label)))),
      blocked.map((m) => html("li", { class: "blocked" }, html("span", { class: "who" }, m.process + ": "), html("code", {}, m.label), " is blocked" + (because(m) ? `: ${because(m)}` : ""))));
    const diagram = html("div", {});
    holder.replaceChildren(html("section", { "aria-labelledby": "walk-heading" }, heading,
      html("p", { class: failed ? "bad" : "note", role: "status" }, status),
      said ? html("p", { class: "said", role: "status" }, said) : null,
      html("div", { class: "bar" },
        button("◀ back", { steps: steps.slice(0, -1) }, "Backspace", steps.length === 0),
        button("to the start", { steps: [] }, null, steps.length === 0),
        button("run to the end", { steps, then: "end" }, "the same process as long as it can", end),
        button("to a failure", { steps, then: "failure" }, "the shortest way to one", end),
        button("to a good end", { steps, then: "good end" }, "the shortest way to an end without a failure", end),
        end ? button("another way to this end", { steps: [], then: "same end", like: steps }, "the shortest from the start") : null,
        html("a", { class: "button", download: execution.scheduleName, href: execution.schedule }, "save as a schedule"),
        html("button", { type: "button", onclick: (event) => share(event.target) }, "copy a link")),
      html("h3", {}, end ? "Nothing can be done" : "What can be done"), choices), 
      html("section", { "aria-label": "how it came here" }, diagram));
    // A walk shows where it stands; its last step is chosen.
    if (execution.steps.length > 0 || execution.waits.length > 0) {
      showFailure({ ...execution, explanation: failed ? execution.explanation : [], walk: true }, diagram, place.sources, Math.max(0, execution.steps.length - 1));
    } else diagram.append(html("h3", {}, "Values at the start"), html("table", { class: "values" }, html("tbody", {}, place.values.map(([name, value]) => html("tr", {}, html("td", {}, name), html("td", {}, value))))));
    if (focus) heading.focus({ preventScroll: true });
    const next = enabled[0];
    if (next && next.at && steps.length === 0) lightUp(next.at);
  }

  async function share(button) {
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "copied";
    } catch {
      button.textContent = "the link is in the address bar";
    }
  }

  holder.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || place === null || event.target.closest("input, select, textarea")) return;
    const enabled = place.moves.filter((m) => m.enabled);
    const number = Number(event.key);
    if (event.key === "Backspace" && steps.length > 0) go({ steps: steps.slice(0, -1) }, true);
    else if (number >= 1 && number <= enabled.length) take(enabled[number - 1].step);
    else return;
    event.preventDefault();
  });
  return { go: (to, focus) => go({ steps: to }, focus), again: () => go(unanswered ?? { steps }, false), steps: () => steps, isOpen: () => place !== null };
}
