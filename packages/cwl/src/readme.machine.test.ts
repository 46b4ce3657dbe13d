import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";

const FOLDER = new URL("..", import.meta.url);
const README = readFileSync(new URL("README.md", FOLDER), "utf8");

const block = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(README)?.[1] ?? assert.fail(`no ${language} block`);

test("the example of the README prints the documented output", async () => {
  const args = ["--input-type=module-typescript", "--eval", block("ts")];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: FOLDER });
  assert.equal(stdout, block("text"));
});

test("the README names modules that exist", () => {
  const table = README.slice(README.indexOf("## Entry modules"));
  const modules = [...table.matchAll(/`([\w/-]+\.ts)`/g)].map(([, module]) => module ?? "");
  assert.ok(modules.length > 20);
  for (const module of modules) assert.ok(existsSync(new URL(`src/${module}`, FOLDER)), module);
});
