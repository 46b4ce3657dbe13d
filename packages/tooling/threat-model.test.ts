import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../docs/explanation/", import.meta.url));

interface NamedTest {
  /** Relative to the page. */
  readonly path: string;
  /** Part of a title; empty for the file as a whole. */
  readonly title: string;
}

/** The tests that a page names as `[name](x.test.ts) "part of a title"`. */
function namedTests(page: string): readonly NamedTest[] {
  const found = page.matchAll(/\]\((?<path>[^)]+\.test\.ts)\) "(?<title>[^"]*)"/g);
  return [...found].map(({ groups }) => ({ path: groups?.["path"] ?? "", title: groups?.["title"] ?? "" }));
}

/** The problem of a name; undefined if the test exists. */
function problemOf({ path, title }: NamedTest): string | undefined {
  const file = join(FOLDER, path);
  if (!existsSync(file)) return `${path} does not exist`;
  return readFileSync(file, "utf8").includes(title) ? undefined : `${path} has no test "${title}"`;
}

describe("the threat model", () => {
  const page = readFileSync(join(FOLDER, "threat-model.md"), "utf8");
  const named = namedTests(page);

  it("names a test in every row about an attack", () => {
    const [, attacks = ""] = page.split("## Attacks and controls");
    const rows = attacks.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| attack "));
    assert.ok(rows.length > 20, `only ${rows.length} attacks found`);
    assert.deepEqual(
      rows.filter((row) => namedTests(row).length === 0),
      [],
    );
  });
  it("names tests that exist", () =>
    assert.deepEqual(
      named.flatMap((test) => problemOf(test) ?? []),
      [],
    ));

  const planted: readonly (readonly [string, RegExp])[] = [
    ['[a](../../packages/engine/test/nothing.test.ts) "x"', /nothing\.test\.ts does not exist/],
    [`[a](../../packages/tooling/threat-model.test.ts) "${"no title ".repeat(2)}"`, /has no test "no title/],
  ];
  for (const [text, expected] of planted)
    it(`catches ${text.slice(0, 40)}`, () =>
      assert.match(namedTests(text).flatMap((test) => problemOf(test) ?? [])[0] ?? "", expected));
});
