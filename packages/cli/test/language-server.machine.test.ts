import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  CodeActionRequest,
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentFormattingRequest,
  DocumentSymbolRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ReferencesRequest,
  RenameRequest,
  ShutdownRequest,
  type PublishDiagnosticsParams,
} from "vscode-languageserver-protocol/node";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: sort
inputs:
  reads: {type: File, inputBinding: {position: 1}}
outputs:
  sorted: {type: File, outputBinding: {glob: "$(inputs.reads.nameroot).txt"}}
`;
const NETWORK = `cwlVersion: v1.2
class: Workflow
inputs:
  sample: File
outputs:
  all: {type: File, outputSource: order/sorted}
steps:
  order:
    run: sort.cwl
    in: {reads: sample}
    out: [sorted]
`;

const folder = await mkdtemp(join(tmpdir(), "weft-lsp-"));
const [tool, network] = [join(folder, "sort.cwl"), join(folder, "net.cwl")].map((path) => pathToFileURL(path).href);
assert.ok(tool !== undefined && network !== undefined);
const child = spawn(process.execPath, [fileURLToPath(new URL("../bin/weft.cjs", import.meta.url)), "lsp", "--stdio"], {
  stdio: ["pipe", "pipe", "inherit"],
});
const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
const client = createProtocolConnection(child.stdout, child.stdin);

/** Returns the first diagnostics of a document that satisfy a condition. */
function diagnosticsOf(uri: string, matches: (found: PublishDiagnosticsParams) => boolean) {
  return new Promise<PublishDiagnosticsParams>((resolve) => {
    const listening = client.onNotification(PublishDiagnosticsNotification.type, (found) => {
      if (found.uri !== uri || !matches(found)) return;
      listening.dispose();
      resolve(found);
    });
  });
}

const at = (uri: string, text: string, before: string) => {
  const lines = text.slice(0, text.indexOf(before)).split("\n");
  return { textDocument: { uri }, position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
};

before(async () => {
  await writeFile(join(folder, "sort.cwl"), TOOL);
  await writeFile(join(folder, "net.cwl"), NETWORK);
  client.listen();
  const rootUri = pathToFileURL(folder).href;
  const workspaceFolders = [{ uri: rootUri, name: "w" }];
  const { capabilities } = await client.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri,
    capabilities: {},
    workspaceFolders,
  });
  assert.equal(capabilities.hoverProvider, true);
  await client.sendNotification(InitializedNotification.type, {});
});

after(async () => {
  client.dispose();
  child.kill();
  await rm(folder, { recursive: true });
});

describe("weft lsp with a client of the protocol", () => {
  it("reports problems of an open document, and none once they are fixed", async () => {
    const wrong = diagnosticsOf(network, ({ diagnostics }) => diagnostics.length > 0);
    const text = NETWORK.replace("reads: sample", "reads: sampel");
    await client.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri: network, languageId: "cwl", version: 1, text },
    });
    const [first] = (await wrong).diagnostics;
    assert.match(String(first?.message), /no source `sampel`\ndid you mean `sample`\?/);
    assert.deepEqual(first?.range.start, { line: 9, character: 16 });
    const actions = await client.sendRequest(CodeActionRequest.type, {
      textDocument: { uri: network },
      range: first?.range ?? assert.fail("no range"),
      context: { diagnostics: [first] },
    });
    const [action] = actions ?? [];
    assert.ok(action !== undefined && "edit" in action);
    assert.equal(action.edit?.changes?.[network]?.[0]?.newText, "sample");
    const right = diagnosticsOf(network, ({ version, diagnostics }) => version === 2 && diagnostics.length === 0);
    await client.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: network, version: 2 },
      contentChanges: [{ text: NETWORK }],
    });
    await right;
  });

  it("completes, explains and lists", async () => {
    const items = await client.sendRequest(CompletionRequest.type, at(network, NETWORK, "sample}"));
    const labels = (Array.isArray(items) ? items : (items?.items ?? [])).map(({ label }) => label);
    assert.deepEqual(labels, ["sample"]);
    const hover = await client.sendRequest(HoverRequest.type, at(network, NETWORK, "reads: sample"));
    assert.match(JSON.stringify(hover?.contents), /input `reads` of sort: File/);
    const symbols = await client.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri: network } });
    assert.equal(symbols?.[0]?.name, "net");
  });

  it("goes to definitions, finds references and renames across files", async () => {
    const definition = await client.sendRequest(DefinitionRequest.type, at(network, NETWORK, "reads: sample"));
    assert.deepEqual(definition, [
      { uri: tool, range: { start: { line: 4, character: 2 }, end: { line: 4, character: 7 } } },
    ]);
    const inTool = at(tool, TOOL, "reads: {");
    const context = { includeDeclaration: true };
    const references = await client.sendRequest(ReferencesRequest.type, { ...inTool, context });
    assert.deepEqual(references?.map(({ uri }) => uri).toSorted(), [network, tool, tool]);
    const renamed = await client.sendRequest(RenameRequest.type, { ...inTool, newName: "input" });
    assert.deepEqual([renamed?.changes?.[tool]?.length, renamed?.changes?.[network]?.length], [2, 1]);
    await assert.rejects(client.sendRequest(RenameRequest.type, { ...inTool, newName: "a b" }), /not a name/);
  });

  it("formats an open document", async () => {
    const text = TOOL.replaceAll("\n  ", "\n      ");
    await client.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri: tool, languageId: "cwl", version: 1, text },
    });
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await client.sendRequest(DocumentFormattingRequest.type, { textDocument: { uri: tool }, options });
    assert.equal(edits?.[0]?.newText, TOOL);
  });

  it("exits when the client requests it", async () => {
    await client.sendRequest(ShutdownRequest.type);
    await client.sendNotification(ExitNotification.type);
    assert.equal(await exited, 0);
  });
});
