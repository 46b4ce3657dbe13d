"use strict";
// Starts `weft lsp` for CWL documents, runs documents in a terminal, and shows their graphs.
const { execFile } = require("node:child_process");
const { basename, dirname } = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** The program and its first arguments, as the user configured them. */
function weft(...args) {
  const [program = "weft", ...first] = vscode.workspace.getConfiguration("weft").get("command", ["weft"]);
  return { program, args: [...first, ...args] };
}

async function startClient() {
  const { program, args } = weft("lsp", "--stdio");
  const server = { command: program, args };
  client = new LanguageClient("weft", "Weft", server, {
    documentSelector: [{ scheme: "file", language: "cwl" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{cwl,yml,yaml,json,js}") },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void vscode.window.showErrorMessage(`Weft could not start: ${error.message}. Check the setting weft.command.`);
  }
}

async function restart() {
  await client?.stop();
  await startClient();
}

/** The saved document of the active editor. */
async function activeDocument() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "cwl" || document.uri.scheme !== "file") return undefined;
  return document.isDirty && !(await document.save()) ? undefined : document;
}

/** Asks for an input object next to the document and runs both as a task: no shell sees the names of files. */
async function run() {
  const document = await activeDocument();
  if (document === undefined) return;
  const folder = dirname(document.uri.fsPath);
  const pattern = new vscode.RelativePattern(folder, "{*,examples/*,tests/*}.{yml,yaml,json}");
  const found = await vscode.workspace.findFiles(pattern, undefined, 200);
  const choices = found.map(({ fsPath }) => ({ label: basename(fsPath), description: fsPath, path: fsPath }));
  const without = { label: "Run without an input object", description: "", path: undefined };
  const chosen = await vscode.window.showQuickPick([...choices, without], { title: "Inputs of the run" });
  if (chosen === undefined) return;
  const { program, args } = weft("run", document.uri.fsPath, ...(chosen.path === undefined ? [] : [chosen.path]));
  const execution = new vscode.ProcessExecution(program, args, { cwd: folder });
  const name = `run ${basename(document.uri.fsPath)}`;
  await vscode.tasks.executeTask(
    new vscode.Task({ type: "weft" }, vscode.TaskScope.Workspace, name, "weft", execution, []),
  );
}

function drawGraph(path) {
  const { program, args } = weft("graph", path, "--format", "svg");
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 64 << 20, cwd: dirname(path) }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr.trim() || error.message));
    });
  });
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** As an image, so that nothing in the drawing can run. */
function pageOf(svg) {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">
<style>body{background:#fff;padding:1em}img{max-width:100%}</style><img alt="Graph" src="${source}">`;
}

/** A page with the graph, drawn again whenever the document is saved. */
async function showGraph(context) {
  const document = await activeDocument();
  if (document === undefined) return;
  const path = document.uri.fsPath;
  const panel = vscode.window.createWebviewPanel("weft.graph", `Graph of ${basename(path)}`, vscode.ViewColumn.Beside);
  const draw = async () => {
    panel.webview.html = await drawGraph(path).then(pageOf, (error) => `<pre>${escaped(error.message)}</pre>`);
  };
  const saved = vscode.workspace.onDidSaveTextDocument(({ languageId }) => languageId === "cwl" && void draw());
  panel.onDidDispose(() => saved.dispose());
  context.subscriptions.push(panel);
  await draw();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("weft.run", run),
    vscode.commands.registerCommand("weft.graph", () => showGraph(context)),
    vscode.commands.registerCommand("weft.restart", restart),
  );
  await startClient();
};

exports.deactivate = () => client?.stop();
