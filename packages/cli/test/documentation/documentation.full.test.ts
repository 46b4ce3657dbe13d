import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { openPageShell } from "./page-shell.ts";
import { isAsWritten, readExamples, type Example } from "./read-examples.ts";

const PAGE_MS = 300_000;
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Pages whose commands are executed. The examples of the command-line reference are parsed by another test. */
const PAGES = [
  "README.md",
  ...["tutorials", "how-to", "explanation"].flatMap((folder) =>
    readdirSync(join(ROOT, "docs", folder)).map((name) => `docs/${folder}/${name}`),
  ),
  "docs/clients/README.md",
  "docs/reference/tests.md",
  "docs/reference/wrap.md",
  "docs/reference/versions.md",
];

const examples = new Map(PAGES.map((page) => [page, readExamples(readFileSync(join(ROOT, page), "utf8"))]));
const all = [...examples.values()].flat();
const commands = all.flatMap((example) => (example.kind === "command" ? example.text : []));
const counts = {
  lines: commands.flatMap((text) => text.replace(/\\\n/g, "").split("\n")).filter((line) => /^[^#\s]/.test(line))
    .length,
  blocks: commands.length,
  outputs: all.filter((example) => example.kind === "command" && example.output !== undefined).length,
  skipped: all.filter(({ kind }) => kind === "not-run").length,
};

describe(`the documentation: ${counts.lines} command lines in ${counts.blocks} blocks, ${counts.outputs} outputs`, () => {
  it(`gives a reason for each of the ${counts.skipped} blocks that are not executed`, () => {
    const reasons = all.flatMap((example) => (example.kind === "not-run" ? example.reason : []));
    for (const reason of reasons) assert.match(reason, /^\w.{10,}/);
    assert.ok(counts.skipped < counts.blocks / 2, `${counts.skipped} of ${counts.blocks}`);
  });

  for (const [page, found] of examples)
    if (found.some(({ kind }) => kind === "command"))
      it(`works as written on ${page}`, { timeout: PAGE_MS }, (t) => execute(t, found));
});

async function execute(t: TestContext, found: readonly Example[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "weft-docs-"));
  const shell = await openPageShell(folder, ROOT);
  t.after(async () => {
    await shell.close();
    await rm(folder, { recursive: true, force: true });
  });
  for (const example of found) {
    if (example.kind === "file") await shell.write(example);
    if (example.kind !== "command") continue;
    const { printed, exit } = await shell.run(example);
    const where = `line ${example.line}: ${example.text}\nprinted, with exit code ${exit}:\n${printed}`;
    assert.equal(exit, example.exit, where);
    if (example.output !== undefined && !isAsWritten(printed, example.output))
      assert.equal(printed, example.output, where);
  }
}

test("a wrong output, a failing command and a command without a language are found", async (t) => {
  await t.test("finds wrong output", () => assert.ok(!isAsWritten("a\nb", "a")));
  await t.test("accepts ellipses", () => assert.ok(isAsWritten("a 1\nx\ny\nb", "a …\n…\nb")));
  const wrong = ["```sh\necho a\n```\n```output\nb\n```", "```sh\nfalse\n```"];
  for (const page of wrong)
    await t.test(page, (inner) =>
      assert.rejects(execute(inner, readExamples(page)), /^AssertionError.*line 1: (echo a|false)/),
    );
  for (const page of ["```\nnpx weft\n```", "```text\ncurl x\n```", "```output\na\n```", '```sh color="red"\na\n```'])
    await t.test(page, () => assert.throws(() => readExamples(page), /^Error: line 1/));
});

test("a page's examples share files, variables and a server", async (t) => {
  const page = await readFile(new URL("every-kind.md", import.meta.url), "utf8");
  await execute(t, readExamples(page));
});

test("a page whose commands never end can be closed", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "weft-docs-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const shell = await openPageShell(folder, ROOT);
  const text = "until false; do sleep 1; done";
  const endless = shell.run({ kind: "command", line: 1, text, exit: 0, background: undefined, output: undefined });
  const refused = assert.rejects(endless, /the shell ended/);
  await shell.close();
  await refused;
});
