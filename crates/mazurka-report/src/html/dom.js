// Small helpers to build the page.

/** An HTML element: attributes by name, `on…` as listeners, children as nodes or text. */
function html(tag, attributes, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
function svg(tag, attributes, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A section with a heading at one of the places that the page has for it. */
function section(place, heading, ...children) {
  const id = place + "-heading";
  const element = html("section", { "aria-labelledby": id }, html("h2", { id }, heading), ...children);
  document.getElementById(place).append(element);
  return element;
}

/** The text, cut to a number of characters. */
function cut(text, length) {
  return text.length <= length ? text : text.slice(0, Math.max(1, length - 1)) + "…";
}

function plural(n, one) {
  return n.toLocaleString("en") + " " + (n === 1 ? one : one + (one.endsWith("ch") || one.endsWith("s") ? "es" : "s"));
}

function place(at) {
  return at ? `${at.file}:${at.line}:${at.column}` : "";
}

/** Calls `change` when the element gets another size, in the next frame: what is drawn then may change the size again. */
function watchWidth(element, change) {
  new ResizeObserver(() => requestAnimationFrame(change)).observe(element);
}
