import assert from "node:assert/strict";
import { test } from "node:test";
import { CwlFailure } from "../../cwl-failure.ts";
import type { CwlValue } from "../../model/cwl-value.ts";
import type { Link } from "../../model/process.ts";
import { SMALL_LIMITS } from "../../testing/test-limits.ts";
import { linkValue } from "./link-value.ts";

const VALUES: Readonly<Record<string, CwlValue>> = {
  one: 1,
  two: [2, 3],
  nothing: null,
  mixed: [null, 4, null],
  nested: [null, [null]],
};

/** Source names, link options, and the value; undefined for a failure. */
const CASES: readonly (readonly [string, Partial<Link>, CwlValue | undefined])[] = [
  ["", {}, null],
  ["one", {}, 1],
  ["one", { sourceIsList: true }, 1],
  ["two", { sourceIsList: true }, [2, 3]],
  ["one", { linkMerge: "merge_nested" }, [1]],
  ["two", { linkMerge: "merge_nested" }, [[2, 3]]],
  ["one", { linkMerge: "merge_flattened" }, [1]],
  ["two", { linkMerge: "merge_flattened" }, [2, 3]],
  ["one two", {}, [1, [2, 3]]],
  ["one two nothing", { linkMerge: "merge_flattened" }, [1, 2, 3, null]],
  ["nothing one two", { pickValue: "first_non_null" }, 1],
  ["nothing nothing", { pickValue: "first_non_null" }, undefined],
  ["nothing two", { pickValue: "the_only_non_null" }, [2, 3]],
  ["one two", { pickValue: "the_only_non_null" }, undefined],
  ["nothing", { pickValue: "the_only_non_null" }, undefined],
  ["nothing one", { pickValue: "all_non_null" }, [1]],
  ["nothing nothing", { pickValue: "all_non_null" }, []],
  ["mixed", { pickValue: "all_non_null" }, [4]],
  ["mixed", { pickValue: "first_non_null" }, 4],
  ["nested", { pickValue: "all_non_null" }, [[null]]],
  ["one", { pickValue: "first_non_null" }, 1],
  ["mixed two", { linkMerge: "merge_flattened", pickValue: "all_non_null" }, [4, 2, 3]],
];
for (const [sources, options, expected] of CASES) {
  test(`links ${sources === "" ? "no source" : sources} ${JSON.stringify(options)}`, () => {
    const link: Link = {
      source: sources.split(" ").filter((source) => source !== ""),
      sourceIsList: false,
      ...options,
    };
    const value = linkValue(link, (source) => VALUES[source] ?? null, { place: "in.x", limits: SMALL_LIMITS });
    if (expected === undefined) assert.ok(value instanceof CwlFailure && value.place === "in.x");
    else assert.deepEqual(value, expected);
  });
}
