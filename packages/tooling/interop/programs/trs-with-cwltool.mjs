// Runs every tool and network of the shipped catalog in cwltool, from its TRS address, with each of its examples.
import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { printedVersion } from "../run-tests.mjs";
import { withServer } from "../with-server.mjs";

export const name = "cwltool (TRS)";
export const about =
  "cwltool runs every tool and network of the shipped catalog from its TRS address, with each example";

export function version() {
  return printedVersion(spawnSync("cwltool", ["--version"], { encoding: "utf8" }));
}

const CATALOG = join(import.meta.dirname, "../../../catalog");

/** Examples whose runs do not succeed, with the reason. */
const ENDS = new Map([
  ["abort-me", "the example runs until it is aborted"],
  ["one-failure", "the example has a job that fails"],
]);

export function checks() {
  return withServer(async ({ address }, folder) => {
    const results = [];
    for (const entry of entries()) results.push(await check(entry, address, join(folder, "out")));
    return results;
  });
}

/** Each version with each of its examples. */
function* entries() {
  for (const kind of ["tools", "networks"])
    for (const id of readdirSync(join(CATALOG, kind)))
      for (const [version, folder] of versionsOf(join(CATALOG, kind, id)))
        for (const example of readdirSync(join(folder, "examples")))
          yield { id, version, example: example.replace(/\.\w+$/, ""), inputs: join(folder, "examples", example) };
}

function versionsOf(folder) {
  if (existsSync(join(folder, "examples"))) return [["unversioned", folder]];
  return readdirSync(folder).map((version) => [version, join(folder, version)]);
}

async function check({ id, version: published, example, inputs }, address, outdir) {
  const what = `runs ${id} ${published} with the example ${example}`;
  const note = ENDS.get(example);
  if (note !== undefined) return { what, result: "not run", note };
  const url = `${address}/ga4gh/trs/v2/tools/${id}/versions/${published}/PLAIN_CWL/descriptor`;
  // By default, cwltool refuses spaces in the names of files.
  const options = ["--quiet", "--enable-ext", "--no-container", "--relax-path-checks"];
  const args = [...options, "--outdir", outdir, url, inputs];
  try {
    await promisify(execFile)("cwltool", args, { timeout: 600_000, maxBuffer: 2 ** 26 });
    return { what, result: "works" };
  } catch (error) {
    const lines = String(error.stderr ?? error)
      .trim()
      .split("\n");
    return { what, result: "fails", note: lines.at(-1).replaceAll("|", "\\|").slice(0, 200) };
  }
}
