// Starts `mazurka lsp` and shows what a check found as a list of places to go through.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate(context) {
  const command = vscode.workspace.getConfiguration("mazurka").get("path", "mazurka");
  const languages = ["mazurka-litmus", "mazurka-abs", "mazurka-promela"];
  client = new LanguageClient("mazurka", "Mazurka", { command, args: ["lsp"] }, {
    documentSelector: languages.map((language) => ({ language })),
    middleware: {
      // The lens asks for a check: its counterexample is walked in a list.
      executeCommand: async (name, words, next) => {
        const found = await next(name, words);
        if (name === "mazurka.check" && found && found.steps.length > 0) await walk(vscode.Uri.parse(words[0]), found);
        return found;
      },
    },
  });
  context.subscriptions.push(vscode.commands.registerCommand("mazurka.checkFile", () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) return vscode.commands.executeCommand("mazurka.check", editor.document.uri.toString());
  }));
  await client.start();
}

/** Goes through the steps: each one that is looked at in the list is shown in the text. */
async function walk(uri, found) {
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  const items = found.steps.map((step, at) => ({ label: `${at + 1}. ${step.text}`, step }));
  const list = vscode.window.createQuickPick();
  list.items = items;
  list.title = found.failure || found.headline;
  list.onDidChangeActive(([item]) => {
    if (!item || !item.step.position) return;
    const place = new vscode.Position(item.step.position.line, item.step.position.character);
    editor.selection = new vscode.Selection(place, place);
    editor.revealRange(new vscode.Range(place, place));
  });
  list.onDidAccept(() => list.hide());
  list.show();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
