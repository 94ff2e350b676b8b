// The exploration tree as a drawing: branching at a glance. A branch that is narrower than a pixel is one line, and one that cannot be seen is
// left out, so drawing takes as long as there are pixels, not nodes.

/** A canvas that can be moved and zoomed. `draw(context, view, colour)` draws; `hit(x, y)` names what is there; `text(thing)` says what it is. */
function drawing(label, { size, draw, hit, text, choose, keys }) {
  const canvas = html("canvas", { tabindex: 0, role: "img", "aria-label": label });
  const tip = html("div", { class: "tip", hidden: true });
  const box = html("div", { class: "canvas" }, canvas, tip);
  const view = { x: 0, y: 0, scale: 1, rise: 1 }; // trees are wide: heights have a scale of their own
  let moved = false;
  let frame = 0;
  const paint = () => {
    frame = 0;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [box.clientWidth, box.clientHeight];
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) [canvas.width, canvas.height] = [width * ratio, height * ratio];
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(document.documentElement);
    draw(context, { ...view, width, height }, (name) => style.getPropertyValue("--" + name).trim());
  };
  const later = () => { if (!frame) frame = requestAnimationFrame(paint); };
  function fit() {
    const [width, height] = size();
    view.scale = Math.min(2, Math.max(1e-4, (box.clientWidth - 40) / Math.max(width, 1)));
    view.rise = Math.min(2, Math.max(1e-4, (box.clientHeight - 40) / Math.max(height, 1)));
    view.x = (box.clientWidth - width * view.scale) / 2;
    view.y = 20;
    moved = false;
    later();
  }
  function zoom(factor, x = box.clientWidth / 2, y = box.clientHeight / 2) {
    const scale = Math.min(8, Math.max(1e-4, view.scale * factor));
    // What is far apart in height already stays as it is: then only the width grows.
    const rise = Math.max(1e-4, Math.min(Math.max(2.5, view.rise), view.rise * scale / view.scale));
    view.x = x - (x - view.x) * scale / view.scale;
    view.y = y - (y - view.y) * rise / view.rise;
    [view.scale, view.rise] = [scale, rise];
    moved = true;
    later();
  }
  const at = (event) => {
    const rect = canvas.getBoundingClientRect();
    return [(event.clientX - rect.left - view.x) / view.scale, (event.clientY - rect.top - view.y) / view.rise];
  };
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey && document.activeElement !== canvas) return; // the page scrolls until the drawing is chosen
    const rect = canvas.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - rect.left, event.clientY - rect.top);
    event.preventDefault();
  }, { passive: false });
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => { drag = { x: event.clientX, y: event.clientY, far: false }; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (drag) {
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (drag.far || Math.abs(dx) + Math.abs(dy) > 4) {
        [view.x, view.y, moved] = [view.x + dx, view.y + dy, true];
        drag = { x: event.clientX, y: event.clientY, far: true };
        later();
      }
      return;
    }
    const thing = hit(...at(event), view);
    tip.hidden = thing === null;
    if (thing === null) return;
    tip.textContent = text(thing);
    const rect = box.getBoundingClientRect();
    tip.style.left = Math.min(event.clientX - rect.left + 12, Math.max(0, box.clientWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.min(event.clientY - rect.top + 12, Math.max(0, box.clientHeight - tip.offsetHeight - 8)) + "px";
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("pointerup", (event) => {
    const clicked = drag && !drag.far;
    drag = null;
    if (!clicked) return;
    const thing = hit(...at(event), view);
    if (thing !== null) choose(thing, event);
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") fit();
    else if (!keys || !keys(event.key)) return;
    event.preventDefault();
  });
  new ResizeObserver(() => { if (box.clientWidth > 0) { if (moved) later(); else fit(); } }).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", later);
  document.getElementById("theme").addEventListener("click", later);
  const bar = html("div", { class: "bar" },
    html("button", { type: "button", onclick: () => zoom(1.5), "aria-label": "zoom in" }, "+"),
    html("button", { type: "button", onclick: () => zoom(1 / 1.5), "aria-label": "zoom out" }, "−"),
    html("button", { type: "button", onclick: fit }, "fit"),
    html("span", { class: "note" }, "drag to move, wheel to zoom, click to choose"));
  return { bar, box, later, fit, show: (x, y) => {
    const [left, top] = [x * view.scale + view.x, y * view.rise + view.y];
    if (left < 20 || left > box.clientWidth - 20) [view.x, moved] = [view.x + box.clientWidth / 2 - left, true];
    if (top < 20 || top > box.clientHeight - 20) [view.y, moved] = [view.y + box.clientHeight / 2 - top, true];
    later();
  } };
}

const ENDS = {
  finished: ["good", "every process finished"], failed: ["bad", "a step failed"], deadlock: ["bad", "some process waits for ever"],
  sleep: ["faint", "everything enabled here sleeps: explored from another node"], context: ["accent", "this state had been reached before: cut, or merged with it"],
  bound: ["warn", "cut at the depth limit"],
};

/** Ends are told apart by their shapes too. */
const SHAPES = { finished: "●", failed: "◆", deadlock: "◆", sleep: "×", context: "○", bound: "▲" };

/** Draws a shape of this radius. */
function shape(context, kind, x, y, radius) {
  if (kind === "◆") {
    const r = radius * 1.35;
    context.moveTo(x, y - r);
    for (const [dx, dy] of [[r, 0], [0, r], [-r, 0]]) context.lineTo(x + dx, y + dy);
    context.closePath();
  } else if (kind === "▲") {
    context.moveTo(x, y - radius * 1.2);
    for (const [dx, dy] of [[1.2, 0.9], [-1.2, 0.9]]) context.lineTo(x + dx * radius, y + dy * radius);
    context.closePath();
  } else if (kind === "■") context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  else if (kind === "×") {
    for (const side of [-1, 1]) {
      context.moveTo(x - radius, y - side * radius);
      context.lineTo(x + radius, y + side * radius);
    }
  } else {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 7);
  }
}

/** The colours of ends, the one to look at last. */
const WORSE = ["faint", "good", "accent", "warn", "bad"];

/** Draws the tree of a search into `holder`; `open(steps)` shows the execution to a node, where there is a program to show it with. */
function showMap(tree, holder, open) {
  const count = tree.nodes.length;
  const parent = new Int32Array(count);
  const children = Array.from({ length: count }, () => []);
  for (let i = 1; i < count; i++) {
    parent[i] = tree.nodes[i][0];
    children[parent[i]].push(i);
  }
  const end = (i) => tree.nodes[i][3];
  const look = (i) => closed.has(i) ? ["warn", "■"] : end(i) ? [ENDS[end(i)][0], SHAPES[end(i)]] : ["faint", "●"];
  const words = (i) => i === 0 ? "start" : `${tree.words[tree.nodes[i][1]]}: ${tree.words[tree.nodes[i][2]]}`;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const closed = new Set();
  let order = []; // the nodes that are drawn, parents first
  // Of each branch: where it is in that order, how wide and deep it is, and the worst end in it.
  const after = new Int32Array(count);
  const left = new Float64Array(count);
  const right = new Float64Array(count);
  const bottom = new Float64Array(count);
  const worst = new Int32Array(count); // the node at which it is
  let [width, height] = [0, 0];
  // Small trees have room for what each step does.
  const ends = children.filter((list) => list.length === 0).length;
  const named = ends <= 12;
  const WIDE = named ? 170 : ends <= 60 ? 40 : 14;
  const [HIGH, CHAIN] = named ? [44, 24] : [26, 9];
  let current = 0;

  const badness = (node) => end(node) ? WORSE.indexOf(ENDS[end(node)][0]) + 1 : closed.has(node) ? WORSE.indexOf("warn") : 0;

  // A node without a branch is near the one before it, so what is deep because it is long does not hide what is wide.
  function layOut() {
    order = [];
    const todo = [0];
    while (todo.length > 0) {
      const node = todo.pop();
      order.push(node);
      if (!closed.has(node)) for (let c = children[node].length - 1; c >= 0; c--) todo.push(children[node][c]);
    }
    let leaf = 0;
    height = 0;
    for (const node of order) {
      y[node] = node === 0 ? 0 : y[parent[node]] + (children[parent[node]].length > 1 ? HIGH : CHAIN);
      height = Math.max(height, y[node]);
      if (children[node].length === 0 || closed.has(node)) x[node] = WIDE * leaf++;
    }
    for (let i = order.length - 1; i >= 0; i--) {
      const node = order[i];
      const inner = children[node];
      const isOpen = inner.length > 0 && !closed.has(node);
      if (isOpen) x[node] = (x[inner[0]] + x[inner[inner.length - 1]]) / 2;
      after[node] = isOpen ? after[inner[inner.length - 1]] : i + 1;
      left[node] = isOpen ? left[inner[0]] : x[node];
      right[node] = isOpen ? right[inner[inner.length - 1]] : x[node];
      bottom[node] = y[node];
      worst[node] = node;
      if (isOpen) for (const child of inner) {
        bottom[node] = Math.max(bottom[node], bottom[child]);
        if (badness(worst[child]) > badness(worst[node])) worst[node] = worst[child];
      }
    }
    width = WIDE * Math.max(0, leaf - 1);
  }

  function draw(context, view, colour) {
    const at = (node) => [x[node] * view.scale + view.x, y[node] * view.rise + view.y];
    context.strokeStyle = colour("faint");
    context.globalAlpha = 0.7;
    context.lineWidth = Math.max(0.4, Math.min(1.5, view.scale));
    context.beginPath();
    const seen = []; // the nodes that are drawn one by one
    const narrow = []; // and those that stand for their branch
    for (let i = 0; i < order.length;) {
      const node = order[i];
      const [px, py] = at(node);
      const up = parent[node];
      if (right[node] * view.scale + view.x < -20 || left[node] * view.scale + view.x > view.width + 20 || py - 60 > view.height) {
        // Its own line may still be seen.
        if (node !== 0) { context.moveTo(x[up] * view.scale + view.x, y[up] * view.rise + view.y); context.lineTo(px, py); }
        i = after[node];
        continue;
      }
      if (node !== 0) { context.moveTo(x[up] * view.scale + view.x, y[up] * view.rise + view.y); context.lineTo(px, py); }
      const isOneLine = right[node] === left[node] && CHAIN * view.rise >= 5 && WIDE * view.scale >= 8;
      if (after[node] > i + 2 && (right[node] - left[node]) * view.scale < 1 && !isOneLine) {
        context.moveTo(px, py);
        context.lineTo(px, bottom[node] * view.rise + view.y);
        narrow.push(node);
        i = after[node];
        continue;
      }
      seen.push(node);
      i++;
    }
    context.stroke();
    context.globalAlpha = 1;
    const radius = Math.max(1, Math.min(5, 4 * view.scale));
    // What is drawn in the same colour and shape is drawn at once.
    const groups = new Map();
    const put = (node, px, py) => {
      const [colour, form] = look(node);
      const spot = `${colour} ${Math.round(px)} ${Math.round(py)}`;
      if (spots.has(spot)) return;
      spots.add(spot);
      if (!groups.has(colour + form)) groups.set(colour + form, { colour, form, list: [] });
      groups.get(colour + form).list.push([px, py]);
    };
    const spots = new Set();
    for (const node of narrow) {
      put(worst[node], x[node] * view.scale + view.x, bottom[node] * view.rise + view.y);
    }
    for (const node of seen) {
      const [px, py] = at(node);
      if (px < -5 || px > view.width + 5 || py < -5 || py > view.height + 5) continue;
      if (!end(node) && children[node].length < 2 && !closed.has(node) && view.scale < 1.2 && !named) continue;
      put(node, px, py);
    }
    for (const { colour: name, form, list } of groups.values()) {
      context.fillStyle = form === "○" ? colour("code") : colour(name);
      context.strokeStyle = colour(name);
      context.lineWidth = Math.min(2, radius);
      context.beginPath();
      for (const [px, py] of list) shape(context, form, px, py, radius);
      if (form !== "×") context.fill();
      if (form === "×" || form === "○") context.stroke();
    }
    const [px, py] = at(current);
    context.strokeStyle = colour("accent");
    context.lineWidth = 2;
    context.beginPath();
    context.arc(px, py, radius + 3, 0, 7);
    context.stroke();
    if (WIDE * view.scale > 100 && seen.length < 600) label(context, seen.map((node) => [node, ...at(node), ...at(parent[node])]), view, colour);
  }

  // What each step does, beside it, as far as there is room: up to the next line, and not where another step is too near.
  function label(context, seen, view, colour) {
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = colour("ink");
    context.strokeStyle = colour("code");
    context.lineWidth = 3;
    const last = new Map(); // where the label below is, by column
    for (const [node, px, py] of seen.toReversed()) {
      const column = Math.round(px);
      if (px < -300 || px > view.width || py < -10 || py > view.height + 10 || last.get(column) - py < 12) continue;
      last.set(column, py);
      let room = view.width - px - 16;
      for (const [other, qx, qy, ux, uy] of seen) {
        if (py < uy - 8 || py > qy + 8 || parent[other] === node) continue;
        // Where the line to that step passes at this height.
        const line = qy - uy < 1 ? qx : ux + (qx - ux) * Math.max(0, Math.min(1, (py - uy) / (qy - uy)));
        if (line > px + 4) room = Math.min(room, line - px - 20);
      }
      const text = words(node);
      const wide = context.measureText(text).width;
      const shown = wide <= room ? text : cut(text, Math.floor(text.length * room / wide));
      context.strokeText(shown, px + 9, py + 4);
      context.fillText(shown, px + 9, py + 4);
    }
  }

  function hit(px, py, view) {
    let [best, near] = [null, 81];
    for (const node of order) {
      const distance = ((x[node] - px) * view.scale) ** 2 + ((y[node] - py) * view.rise) ** 2;
      if (distance < near) [best, near] = [node, distance];
    }
    return best;
  }

  const why = (node) => {
    const reason = ENDS[end(node)];
    return words(node) + (reason ? ` — ${END_NAMES[end(node)]}: ${reason[1]}` : "") + (closed.has(node) ? " — closed" : "");
  };
  const about = html("p", { class: "note", "aria-live": "polite" });
  const pathTo = (node) => {
    const steps = [];
    for (let i = node; i !== 0; i = parent[i]) steps.push([tree.words[tree.nodes[i][4]], tree.nodes[i][5]]);
    return steps.reverse();
  };
  const buttons = html("div", { class: "bar" },
    open ? html("button", { type: "button", id: "open-node", onclick: () => open(pathTo(current)) }, "show the execution to here") : null,
    html("button", { type: "button", onclick: () => fold(current) }, "close or open the branch"));

  function choose(node) {
    if (node === current && document.activeElement && children[node].length > 0) fold(node);
    current = node;
    about.textContent = `${plural(pathTo(node).length, "step")} from the start: ${why(node)}`;
    picture.show(x[node], y[node]);
    if (open && children[node].length === 0) open(pathTo(node));
  }
  function fold(node) {
    if (children[node].length === 0) return;
    if (!closed.delete(node)) closed.add(node);
    layOut();
    picture.later();
  }
  function keys(key) {
    const siblings = current === 0 ? [0] : children[parent[current]];
    const at = siblings.indexOf(current);
    const to = { ArrowUp: parent[current], ArrowDown: closed.has(current) ? undefined : children[current][0], ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1] };
    if (key === "Enter") { if (open) open(pathTo(current)); }
    else if (key === " ") fold(current);
    else if (key in to) {
      if (to[key] === undefined) return true;
      current = to[key];
      about.textContent = `${plural(pathTo(current).length, "step")} from the start: ${why(current)}`;
      picture.show(x[current], y[current]);
    } else return false;
    return true;
  }

  layOut();
  const leaves = tree.nodes.filter((n) => n[3]).length;
  const picture = drawing(`tree of ${plural(count, "node")} and ${plural(leaves, "end")}; arrow keys go through it, Enter shows an execution`, { size: () => [width + (named ? 150 : 0), height], draw, hit, text: why, choose, keys });
  const legend = html("p", { class: "legend note" }, Object.entries(ENDS).filter(([name]) => tree.nodes.some((n) => n[3] === name)).map(([name, [colour, reason]]) =>
    html("span", {}, html("span", { style: `color:var(--${colour})`, "aria-hidden": "true" }, SHAPES[name] + " "), `${END_NAMES[name]}: ${reason}`)));
  holder.replaceChildren(html("section", { "aria-labelledby": "map-heading" }, html("h2", { id: "map-heading" }, `Exploration tree, ${plural(count, "node")}`),
    tree.truncated ? html("p", { class: "note" }, `The search took more steps; these are the first ${plural(count - 1, "step")}.`) : null,
    picture.bar, legend, picture.box, about, buttons));
}
