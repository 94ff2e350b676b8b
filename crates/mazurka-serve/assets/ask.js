// Questions to the server: each part of an answer is a line of JSON.

/** Asks, and calls `part` with each part of the answer; an `AbortSignal` ends it. Throws what the server says is wrong. */
async function ask(what, question, part, signal) {
  const response = await fetch("api/" + what, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(question), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    rest += value || "";
    let end;
    while ((end = rest.indexOf("\n")) >= 0) {
      const line = JSON.parse(rest.slice(0, end));
      rest = rest.slice(end + 1);
      if (line.error !== undefined) throw new Error(line.error);
      part(line);
    }
    if (done) return;
  }
}

/** The last part of an answer. */
async function answer(what, question, signal) {
  let last = null;
  await ask(what, question, (part) => { last = part; }, signal);
  return last;
}

/** Calls `late` once nothing has happened for so many milliseconds. */
function afterwards(milliseconds, late) {
  let timer = 0;
  return (...words) => { clearTimeout(timer); timer = setTimeout(() => late(...words), milliseconds); };
}
