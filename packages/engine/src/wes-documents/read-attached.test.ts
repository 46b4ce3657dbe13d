import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MAX_TEXT_BYTES, readAttached, tooLarge } from "./read-attached.ts";
import { column } from "../testing/columns.ts";

const TOO_LARGE = { code: "invalid-document", message: /At most 4 MiB of documents/ };

const TOOL = "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: 'true'\ninputs: {}\noutputs: {}\n";

/** Reads attachments from memory. */
function read(files: Readonly<Record<string, string>>, primary = "main.cwl") {
  const names = new Map(Object.keys(files).map((path) => [path, path]));
  return readAttached({ files: names, primary }, async (path, maxBytes) => {
    const content = Buffer.from(files[path] ?? "");
    if (content.length > maxBytes) throw tooLarge("its files are too large");
    return content;
  });
}

const step = (run: string) =>
  `cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps:\n  one: { run: ${run}, in: {}, out: [] }\n`;
const withDefault = (location: string) =>
  TOOL.replace("inputs: {}", `inputs: { x: { type: File, default: { class: File, location: "${location}" } } }`);

describe("a document with its attachments", () => {
  it("needs the files that it imports and names, and no others", async () => {
    const main = step("tools/a.cwl");
    const { errors, needed, kind } = await read({
      "main.cwl": main,
      "tools/a.cwl": withDefault("../lib/run me.sh"),
      "lib/run me.sh": "true",
      "data.txt": "not needed",
    });
    assert.deepEqual(errors, []);
    assert.equal(kind, "network");
    assert.deepEqual(column(needed, "path"), ["main.cwl", "tools/a.cwl", "lib/run me.sh"]);
  });

  it("needs all files of a folder that it names", async () => {
    const main = TOOL.replace(
      "inputs: {}",
      "inputs: { x: { type: Directory, default: { class: Directory, location: lib } } }",
    );
    const { needed } = await read({ "main.cwl": main, "lib/a": "a", "lib/b/c": "c", library: "no" });
    assert.deepEqual(column(needed, "path"), ["main.cwl", "lib/a", "lib/b/c"]);
  });

  const FORBIDDEN: Readonly<Record<string, readonly [document: string, says: RegExp]>> = {
    "imports a file of this machine": [step("/etc/passwd"), /\/etc\/passwd/],
    "imports a file URL": [step("file:///etc/passwd"), /file:\/\/\/etc\/passwd/],
    "climbs out of the attachments": [step("../../../../etc/passwd"), /etc\/passwd/],
    "climbs by escapes": [step("'%2e%2e/%2e%2e/etc/passwd'"), /etc\/passwd/],
    "imports from the web": [step("https://example.org/a.cwl"), /https:\/\/example\.org\/a\.cwl/],
    "includes a file of this machine": [
      TOOL.replace("inputs: {}", "inputs: {}\ndoc: { $include: /etc/passwd }"),
      /passwd/,
    ],
    "names a file of this machine": [withDefault("/etc/passwd"), /names the file .*\/etc\/passwd/],
    "names a remote file": [withDefault("http://169.254.169.254/latest"), /names the file http/],
    "names a data root": [withDefault("weft-data://runs/x/y"), /names the file weft-data/],
    "loads an image of this machine": [
      `${TOOL}requirements: { DockerRequirement: { dockerLoad: /root/i.tar } }\n`,
      /dockerLoad/,
    ],
    "builds an image": [`${TOOL}hints: { DockerRequirement: { dockerFile: FROM x } }\n`, /dockerFile/],
    "pulls a folder": [
      `${TOOL}hints: { DockerRequirement: { dockerPull: "dir:/etc" } }\n`,
      /dir:\/etc is not the name/,
    ],
    "pulls an option": [`${TOOL}hints: { DockerRequirement: { dockerPull: "--privileged" } }\n`, /is not the name/],
  };
  for (const [what, [document, says]] of Object.entries(FORBIDDEN))
    it(`has an error if it ${what}`, async () => {
      const { errors } = await read({ "main.cwl": document });
      assert.match(errors.map(({ message }) => message).join("\n"), says);
      assert.equal(errors[0]?.file, "main.cwl");
    });

  it("keeps the names of images", async () => {
    for (const image of [
      "debian",
      "debian:12-slim",
      "ghcr.io/a/b_c:1.0",
      `localhost:5000/a@sha256:${"0".repeat(64)}`,
    ]) {
      const { errors } = await read({
        "main.cwl": `${TOOL}hints: { DockerRequirement: { dockerPull: "${image}" } }\n`,
      });
      assert.deepEqual(errors, [], image);
    }
  });

  it("is refused if its texts are too large", () =>
    assert.rejects(read({ "main.cwl": TOOL + "#".repeat(MAX_TEXT_BYTES) }), TOO_LARGE));

  it("is refused if it has too many files", async () => {
    const names = Array.from({ length: 201 }, (_, at) => `t${at}.cwl`);
    const steps = names.map((name, at) => `  s${at}: { run: ${name}, in: {}, out: [] }\n`).join("");
    const main = step("t0.cwl").replace(/ {2}one.*\n/, steps);
    await assert.rejects(
      read({ "main.cwl": main, ...Object.fromEntries(names.map((name) => [name, TOOL])) }),
      TOO_LARGE,
    );
  });

  it("has errors for bombs of aliases", async () => {
    const lines = Array.from(
      { length: 9 },
      (_, at) =>
        `b${at}: &b${at} [${Array(9)
          .fill(at === 0 ? "x" : `*b${at - 1}`)
          .join(",")}]`,
    );
    const { errors } = await read({ "main.cwl": `${lines.join("\n")}\n${TOOL}` });
    assert.ok(errors.length > 0);
  });
});
