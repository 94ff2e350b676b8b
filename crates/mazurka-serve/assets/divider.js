// The divider between the program and what is known about it: dragged, or moved with the arrow keys. Where it was is remembered.

(() => {
  const KEPT = "mazurka.program.width";
  const divider = document.getElementById("divider");
  const app = divider.parentElement;
  const side = document.getElementById("program-side");
  const LEAST = 240;
  const most = () => Math.max(LEAST, app.clientWidth - 420);

  function tell() {
    divider.setAttribute("aria-valuemin", LEAST);
    divider.setAttribute("aria-valuemax", most());
    divider.setAttribute("aria-valuenow", Math.round(side.offsetWidth));
    divider.setAttribute("aria-valuetext", `${Math.round(side.offsetWidth)} pixels`);
  }

  /** Puts it there; `null` where it was at first. */
  function put(width) {
    if (width === null) app.style.removeProperty("--program");
    else app.style.setProperty("--program", Math.max(LEAST, Math.min(most(), width)) + "px");
    // A browser may forbid to keep anything: then it is where it was at first the next time.
    try {
      if (width === null) localStorage.removeItem(KEPT);
      else localStorage.setItem(KEPT, side.offsetWidth);
    } catch { /* see above */ }
    tell();
  }

  let from = null;
  divider.addEventListener("pointerdown", (event) => {
    from = side.offsetWidth - event.clientX;
    divider.setPointerCapture(event.pointerId);
    event.preventDefault();
    divider.focus({ focusVisible: false });
  });
  divider.addEventListener("pointermove", (event) => { if (from !== null) put(from + event.clientX); });
  for (const end of ["pointerup", "pointercancel"]) divider.addEventListener(end, () => { from = null; });
  divider.addEventListener("dblclick", () => put(null));
  divider.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 160 : 32;
    const to = { ArrowLeft: side.offsetWidth - step, ArrowRight: side.offsetWidth + step, Home: LEAST, End: most(), Enter: null }[event.key];
    if (to === undefined) return;
    put(to);
    event.preventDefault();
  });
  let kept = null;
  try { kept = Number(localStorage.getItem(KEPT)); } catch { /* nothing is kept */ }
  if (kept >= LEAST) app.style.setProperty("--program", `min(${kept}px, calc(100vw - 26rem))`);
  addEventListener("resize", tell);
  tell();
})();
