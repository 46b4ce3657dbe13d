import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/contributing/first-change.md"), "utf8");

const clone = mkdtempSync(join(tmpdir(), "weft-first-change-"));
after(() => rmSync(clone, { recursive: true, force: true }));

/** Blocks of the page: language, attributes and text. */
const blocks = [...PAGE.matchAll(/^```(\w+)(.*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = "", rest = "", text = ""]) => ({
    language,
    attribute: (name: string) => new RegExp(`${name}="([^"]*)"`).exec(rest)?.[1],
    text,
  }),
);

it("the first change in the documentation fails at first, and then works", () => {
  // The package's tests share no process with others, and the package imports no other package.
  cpSync(join(ROOT, "packages/shared"), join(clone, "packages/shared"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
  const exits: number[] = [];
  for (const { language, attribute, text } of blocks) {
    const title = attribute("title");
    if (title !== undefined) write(title, text);
    else if (language === "diff") apply(text);
    else if (language === "sh" && attribute("not-run") === undefined) exits.push(run(text, attribute("exit") ?? "0"));
  }
  assert.deepEqual(exits, [1, 0]);
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), text, { flag: "wx" });
}

function apply(diff: string): void {
  const { status, stderr } = spawnSync("git", ["apply", "-"], { cwd: clone, input: diff, encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

function run(commands: string, exit: string): number {
  // A test within a test would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const path = `${dirname(process.execPath)}:${env["PATH"]}`;
  const done = spawnSync("bash", ["-ec", commands], { cwd: clone, env: { ...env, PATH: path }, encoding: "utf8" });
  assert.equal(done.status, Number(exit), done.stdout + done.stderr);
  return Number(exit);
}

it("the issue templates and the development container are well-formed", () => {
  const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
  const { build } = JSON.parse(read(".devcontainer/devcontainer.json")) as { build: { dockerfile: string } }; // our own file
  assert.match(read(join(".devcontainer", build.dockerfile)), /^FROM node:\d+/m);
  for (const name of ["problem", "wish"])
    assert.match(read(`.github/ISSUE_TEMPLATE/${name}.md`), /^---\nname: \w+\nabout: .+\n---\n/);
});
