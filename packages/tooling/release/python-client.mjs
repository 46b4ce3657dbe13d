// Builds the Python client as a wheel (https://packaging.python.org/en/latest/specifications/binary-distribution-format/).
// The wheel is pure Python, so it is an archive of its sources with a description. Building it needs no Python.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeZip } from "client-zip";
import { ROOT } from "../install.mjs";

const PROJECT = join(ROOT, "clients/python");
const PACKAGE = "weft_client";

/** Returns the path of the wheel. */
export async function buildWheel({ out, epochS }) {
  const project = readFileSync(join(PROJECT, "pyproject.toml"), "utf8");
  const version = field(project, "version");
  const info = `${PACKAGE}-${version}.dist-info`;
  const sources = readdirSync(join(PROJECT, "src", PACKAGE)).filter((name) => /\.(py|typed)$/.test(name));
  const files = [
    ...sources.map((name) => [`${PACKAGE}/${name}`, readFileSync(join(PROJECT, "src", PACKAGE, name), "utf8")]),
    [`${info}/METADATA`, metadata(project)],
    [`${info}/WHEEL`, "Wheel-Version: 1.0\nGenerator: weft\nRoot-Is-Purelib: true\nTag: py3-none-any\n"],
    [`${info}/entry_points.txt`, "[console_scripts]\nweft-client = weft_client.__main__:main\n"],
    [`${info}/licenses/LICENSE`, readFileSync(join(ROOT, "LICENSE"), "utf8")],
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  const record = [...files.map(([name, text]) => recordLine(name, text)), `${info}/RECORD,,`].join("\n");
  const path = join(out, `${PACKAGE}-${version}-py3-none-any.whl`);
  // The earliest time that a zip can store is 1980.
  const lastModified = new Date(Math.max(epochS, 315_619_200) * 1000);
  const entries = [...files, [`${info}/RECORD`, `${record}\n`]].map(([name, input]) => ({ name, input, lastModified }));
  writeFileSync(path, new Uint8Array(await new Response(makeZip(entries)).arrayBuffer()));
  return path;
}

function metadata(project) {
  return `Metadata-Version: 2.1
Name: ${field(project, "name")}
Version: ${field(project, "version")}
Summary: ${field(project, "description")}
License: Apache-2.0
Classifier: Typing :: Typed
Requires-Python: ${field(project, "requires-python")}
Description-Content-Type: text/markdown

${readFileSync(join(PROJECT, "README.md"), "utf8")}`;
}

function field(project, name) {
  const value = new RegExp(`^${name} = "(.*)"$`, "m").exec(project)?.[1];
  if (value === undefined) throw new Error(`clients/python/pyproject.toml has no ${name}`);
  return value;
}

function recordLine(name, text) {
  const digest = createHash("sha256").update(text).digest("base64url");
  return `${name},sha256=${digest},${Buffer.byteLength(text)}`;
}
