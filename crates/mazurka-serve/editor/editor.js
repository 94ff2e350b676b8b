// The editor of the page: CodeMirror with the three languages. `./rebuild` bundles it into `../assets/editor.js`.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const words = (text) => new Set(text.trim().split(/\s+/));

// What is told apart: comments, strings, numbers, keywords, types, labels. The languages differ in their words only.
const languages = {
  litmus: {
    keywords: words("init const bounded await lock unlock choose spawn goto if else assert while skip"),
    types: words("id"),
    block: false,
  },
  abs: {
    keywords: words(`module import export from data def type interface class extends implements uses if then else case when while
      foreach in return skip await suspend new local get this null original delta after adds modifies removes assert duration
      try catch finally throw let builtin exception field_of switch for recover println print port rebind move`),
    types: words("Unit Int Bool Rat String Float Fut List Set Map Pair Maybe True False Nil Cons Just Nothing"),
    block: true,
  },
  promela: {
    keywords: words(`active proctype init inline never trace notrace if fi do od for select skip break goto else atomic d_step unless
      assert printf printm run provided priority typedef hidden show local xr xs timeout len full empty nfull nempty enabled pc_value
      eval ltl accept progress end define`),
    types: words("bit bool byte short int unsigned pid chan mtype true false"),
    block: true,
  },
};

function tokens({ keywords, types, block }) {
  return StreamLanguage.define({
    startState: () => ({ comment: false }),
    token(stream, state) {
      if (state.comment) {
        if (stream.match(/.*?\*\//)) state.comment = false;
        else stream.skipToEnd();
        return "comment";
      }
      if (stream.eatSpace()) return null;
      if (stream.match("//")) { stream.skipToEnd(); return "comment"; }
      if (block && stream.match("/*")) { state.comment = true; return "comment"; }
      if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return "string";
      if (stream.match(/#\w+/)) return "meta";
      if (stream.match(/\d+/)) return "number";
      const word = stream.match(/[A-Za-z_]\w*/);
      if (word) return keywords.has(word[0]) ? "keyword" : types.has(word[0]) ? "typeName" : "variableName";
      stream.next();
      return "operator";
    },
    languageData: { commentTokens: block ? { line: "//", block: { open: "/*", close: "*/" } } : { line: "//" } },
  });
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--good)" },
  { tag: [tags.string, tags.number], color: "var(--race)" },
  { tag: tags.meta, color: "var(--warn)" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--code)", color: "var(--ink)", height: "100%", fontSize: "13px" },
  ".cm-content": { fontFamily: 'ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", monospace', caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--code)", color: "var(--faint)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--select) 45%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--select) !important" },
  ".cm-here": { backgroundColor: "var(--hit)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--card)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels input, .cm-panels button": { backgroundColor: "var(--card)", backgroundImage: "none", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
});

const showLine = StateEffect.define();
const here = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    marks = marks.map(change.changes);
    for (const effect of change.effects) {
      if (effect.is(showLine)) marks = effect.value === null ? Decoration.none : Decoration.set([Decoration.line({ class: "cm-here" }).range(effect.value)]);
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** An editor inside of `parent`; `changed` is called with its text whenever that changes. */
window.mazurkaEditor = function mazurkaEditor(parent, changed) {
  const language = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(), history(), drawSelection(), indentOnInput(), indentUnit.of("  "), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(),
        highlightSelectionMatches(), search({ top: true }), lintGutter(), syntaxHighlighting(colours), look, here, EditorView.lineWrapping, language.of([]),
        // Tab leaves the editor unless Escape was not pressed first: `indentWithTab` is what programmers expect, Escape then Tab what others need.
        // Ctrl+Enter is the page's: it checks, and must not begin a new line here.
        keymap.of([{ key: "Mod-Enter", run: () => true }, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": "text of the program; Escape, then Tab leaves it" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(update.state.doc.toString()); }),
      ],
    }),
  });
  // Lines and columns count from 1, columns in characters as the tool counts them: code points.
  const offset = (at) => {
    const line = view.state.doc.line(Math.max(1, Math.min(at.line, view.state.doc.lines)));
    const before = [...line.text].slice(0, Math.max(0, at.column - 1)).join("");
    return Math.min(line.to, line.from + before.length);
  };
  return {
    text: () => view.state.doc.toString(),
    set(text, kind) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, effects: [language.reconfigure(tokens(languages[kind] || languages.litmus)), showLine.of(null)] });
    },
    /** Underlines: each has `from` and `to` with line and column, `severity` and `message`. */
    diagnose(list) {
      const size = view.state.doc.length;
      const found = list.map((d) => {
        const from = offset(d.from);
        return { from, to: Math.min(size, Math.max(offset(d.to), from + (from < size ? 1 : 0))), severity: d.severity === "note" ? "info" : d.severity, message: d.message };
      });
      view.dispatch(setDiagnostics(view.state, found));
    },
    /** Lights up a line and shows it, or none. */
    light(line) {
      if (line === null || line < 1 || line > view.state.doc.lines) return view.dispatch({ effects: showLine.of(null) });
      const from = view.state.doc.line(line).from;
      view.dispatch({ effects: [showLine.of(from), EditorView.scrollIntoView(from, { y: "nearest", yMargin: 60 })] });
    },
    go(at) {
      const from = offset(at);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
  };
};
