// Builds the TypeScript client as an npm package. openapi-typescript makes its types from the contract.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pinnedNode } from "../build.mjs";
import { CLIENT_TOOLS, ensureClientTools } from "../clients/ensure-client-tools.mjs";
import { ROOT } from "../install.mjs";

const PROJECT = join(ROOT, "clients/typescript");
const GENERATOR = join(CLIENT_TOOLS, "node_modules/openapi-typescript/bin/cli.js");
const CONTRACT = pathToFileURL(join(ROOT, "packages/api/src/documentation/openapi/create-openapi-document.ts"));

/** Compiles the package into a new folder. */
export function assembleTypescriptClient(folder) {
  ensureClientTools();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "tsconfig.json", "README.md", "src"])
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  const contract = join(folder, "contract.json");
  const print = `const { createOpenApiDocument } = await import("${CONTRACT}");
    process.stdout.write(JSON.stringify(createOpenApiDocument("http://127.0.0.1:8080", "0.0.0")));`;
  writeFileSync(contract, run(pinnedNode(), ["--input-type=module", "-e", print]));
  run(pinnedNode(), [GENERATOR, contract, "-o", join(folder, "src/api.ts")]);
  run(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder]);
  for (const name of ["contract.json", "tsconfig.json", "src"]) rmSync(join(folder, name), { recursive: true });
}

/** Writes the package into a folder. */
export function buildTypescriptClient({ out, work }) {
  const folder = join(work, "typescript-client");
  assembleTypescriptClient(folder);
  run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", out], folder);
}

function run(command, args, cwd = ROOT) {
  const done = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (done.status !== 0) throw new Error(`${command} failed: ${done.error?.message ?? done.stderr + done.stdout}`);
  return done.stdout;
}
