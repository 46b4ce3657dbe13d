// npx node packages/tooling/fuzz-api.mjs [--requests N] [--seed S]: requests made from /swagger.json, and attacks, against a real
// server on a separate state folder; every answer must be as declared, and none may be 5xx. Exits with 1 otherwise.
// Prints the number of requests, the faults of each kind, the seed and the requests per second.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pinnedNode } from "./build.mjs";
import { ensureInstalled, ROOT } from "./install.mjs";

ensureInstalled();
const node = pinnedNode();
const folder = mkdtempSync(join(tmpdir(), "weft-fuzz-"));
const catalog = join(folder, "catalog");
cpSync(join(ROOT, "packages/catalog"), catalog, { recursive: true });
addAttackedDocuments();
const flags = [
  "--port",
  "0",
  "--state",
  join(folder, "state"),
  "--catalog",
  catalog,
  "--read-rate",
  "0",
  "--write-rate",
  "0",
];
// Low limits, because scatters that multiply their jobs would only keep the machine busy.
for (const limit of ["jobs-per-scatter=50", "jobs-per-run=100"]) flags.push("--limit", limit);
const server = spawn(node, ["--disable-proto=delete", join(ROOT, "packages/cli/src/main.ts"), "serve", ...flags], {
  stdio: ["ignore", "pipe", "inherit"],
});
const address = await new Promise((resolve, reject) => {
  server.stdout.on("data", (chunk) => resolve(/on (\S+)/.exec(String(chunk))?.[1]));
  server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
});
const command = join(ROOT, "packages/api/test/fuzz/fuzz-command.ts");
const { status } = spawnSync(node, [command, address, ...process.argv.slice(2)], { stdio: "inherit" });
server.kill("SIGTERM");
await new Promise((resolve) => server.once("exit", resolve));
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);

/** Documents whose inputs accept anything, and whose steps multiply their inputs. */
function addAttackedDocuments() {
  const tool = (inputs) => `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [true]
requirements: {InlineJavascriptRequirement: {}}
inputs: ${JSON.stringify(inputs)}
outputs: []
`;
  write(
    "tools/anything/1.0.0/anything.cwl",
    tool({ value: "Any?", text: "string?", files: "File[]?", folder: "Directory?" }),
  );
  write("tools/three/1.0.0/three.cwl", tool({ a: "string", b: "string?", c: "string?" }));
  const network = (method, names) => `cwlVersion: v1.2
class: Workflow
requirements: {ScatterFeatureRequirement: {}}
inputs: ${JSON.stringify(Object.fromEntries(names.map((name) => [name, "string[]"])))}
outputs: []
steps:
  each:
    run: ../../tools/three/1.0.0/three.cwl
    scatter: [${names.join(", ")}]
    scatterMethod: ${method}
    in: ${JSON.stringify(Object.fromEntries(names.map((name) => [name, name])))}
    out: []
`;
  write("networks/crossed/crossed.cwl", network("flat_crossproduct", ["a", "b", "c"]));
  write("networks/dotted/dotted.cwl", network("dotproduct", ["a", "b"]));
}

function write(path, text) {
  const file = join(catalog, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
