import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { CACHE_CHOICES, FAILURE_CHOICES, KEEP_CHOICES, MEMORY_CHOICES, START_SETTINGS } from "./model/run-settings.ts";

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const rowsOf = (page: string, head: RegExp) => {
  const [, table = ""] = new RegExp(`${head.source}[^\n]*\n\\|[ -|]+\n((?:\\|.*\n)+)`).exec(page) ?? [];
  return new Map(
    table
      .split("\n")
      .map((line) => [line.split("|")[1]?.trim() ?? "", line])
      .slice(0, -1) as [string, string][],
  ); // pairs
};
const labelsIn = (source: string) => [...source.matchAll(/\blabel(?:=|: )"([^"]+)"/g)].map(([, label = ""]) => label);

describe("docs/how-to/run-a-network.md", () => {
  const rows = rowsOf(textOf("../../../../../docs/how-to/run-a-network.md"), /\| Option /);

  it("lists the options of the form in their order", () => {
    const labels = labelsIn(textOf("./run-settings-fields.tsx")).map((label) => label.replace(/ \(.*/, ""));
    assert.deepEqual([...rows.keys()], [...new Set(["Run name", ...labels])]);
  });

  const CHOICES = {
    "When a job fails": [FAILURE_CHOICES, START_SETTINGS.onFailure],
    "Cached results": [CACHE_CHOICES, START_SETTINGS.cache],
    "When a job runs out of memory": [MEMORY_CHOICES, START_SETTINGS.onOutOfMemory],
    "Intermediate files": [KEEP_CHOICES, START_SETTINGS.keepIntermediate],
  } as const;
  for (const [option, [choices, start]] of Object.entries(CHOICES)) {
    it(`names the choices of "${option}", and the default`, () => {
      const row = rows.get(option) ?? "";
      for (const { id, label } of choices) {
        assert.ok(row.includes(`_${label}_`), label);
        assert.equal(row.includes(`_${label}_ is the default`), id === start, label);
      }
    });
  }
});

describe("docs/how-to/watch-a-run.md", () => {
  it("lists the tabs of a run in their order", () => {
    const [, tabs = ""] =
      /function tabsOf\(run[^]*? return \[\n([^]*?)\n  \];/.exec(textOf("../../routes/run-route.tsx")) ?? [];
    const rows = rowsOf(textOf("../../../../../docs/how-to/watch-a-run.md"), /\| Tab /);
    const labels = [...tabs.matchAll(/(?:label: |(?:wide|asOf)\("\w+", )"(\w+)"/g)].map(([, label]) => label);
    assert.deepEqual([...rows.keys()], labels);
  });
});
