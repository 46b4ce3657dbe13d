// Checks the three OpenAPI documents with a linter and two client generators; the compiler checks the generated clients.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_TOOLS, ensureClientTools } from "../../clients/ensure-client-tools.mjs";
import { withServer } from "../with-server.mjs";

const DOCUMENTS = [
  ["/swagger.json", "swagger.json"],
  ["/ga4gh/wes/v1/openapi.json", "wes.json"],
  ["/ga4gh/trs/v2/openapi.json", "trs.json"],
];
const ENV = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

export const programs = [
  program("@redocly/cli", "lint: no errors and no warnings in", (file) => [
    tool("@redocly/cli/bin/cli.js", "lint", "--config", join(CLIENT_TOOLS, "redocly.yaml"), file),
  ]),
  program("openapi-typescript", "types compile from", (file, folder) => [
    tool("openapi-typescript/bin/cli.js", file, "--output", join(folder, "types.ts")),
    compiler(join(folder, "types.ts")),
  ]),
  program("@hey-api/openapi-ts", "a client compiles from", (file, folder) => [
    tool(
      "@hey-api/openapi-ts/bin/run.js",
      "--input",
      file,
      "--output",
      join(folder, "client"),
      "--client",
      "@hey-api/client-fetch",
    ),
    compiler(join(folder, "client/index.ts"), join(folder, "client/sdk.gen.ts")),
  ]),
];

/** `commands`: returns the commands that must succeed for a document, given its path and that of an empty folder. */
function program(name, what, commands) {
  return {
    name,
    about: `${what} \`/swagger.json\` and the documents of WES and TRS`,
    version: () => versionOf(name),
    checks: async () => {
      // Fetches all documents first: the programs keep this process busy for longer than a connection stays open.
      const texts = await withServer(({ address }) =>
        Promise.all(DOCUMENTS.map(async ([path]) => (await fetch(address + path)).text())),
      );
      return DOCUMENTS.map(([path, file], at) => ({ what: `${what} ${path}`, ...attempt(texts[at], file, commands) }));
    },
  };
}

function versionOf(name) {
  ensureClientTools();
  return JSON.parse(readFileSync(join(CLIENT_TOOLS, "node_modules", name, "package.json"), "utf8")).version;
}

/** The folder is below the tools, so that the generated code finds their packages; it is not in git. */
function attempt(text, file, commands) {
  mkdirSync(join(CLIENT_TOOLS, "dist"), { recursive: true });
  const folder = mkdtempSync(join(CLIENT_TOOLS, "dist/interop-"));
  try {
    writeFileSync(join(folder, file), text);
    for (const args of commands(join(folder, file), folder)) {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env: ENV, encoding: "utf8" });
      if (status !== 0) return { result: "fails", note: `${stdout}${stderr}`.trim().split("\n").at(-1) };
    }
    return { result: "works" };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tool(path, ...args) {
  return [join(CLIENT_TOOLS, "node_modules", path), ...args];
}

function compiler(...files) {
  const strict = ["--strict", "--noEmit", "--skipLibCheck", "--target", "es2023", "--module", "preserve"];
  return tool("typescript/bin/tsc", ...strict, "--lib", "es2023,dom,dom.iterable", ...files);
}
