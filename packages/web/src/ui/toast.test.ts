import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, it } from "node:test";

const SOURCES = new URL("../", import.meta.url);
const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test.") && !path.endsWith("ui/toast.ts"))
  .map((path) => readFileSync(new URL(path, SOURCES), "utf8"));

/** The arguments of all calls, without the bracket after them. */
function callsOf(name: string): readonly string[] {
  return sources.flatMap((source) =>
    [...source.matchAll(new RegExp(`\\b${name}\\(([^;]*?)\\)[;,\\n]`, "g"))].map(([, own = ""]) => own.trim()),
  );
}

const namesNoAction = (argument: string): boolean => /^(?:[\w.]+(?:\(.*)?$|`\$\{[^}]*\}`$)/s.test(argument);
const isRefusal = (argument: string): boolean => /\b(?:not|cannot|blocked|failed|refused)\b|n't/.test(argument);

describe("messages", () => {
  it("say which action failed, and not only why", () => {
    const calls = callsOf("showError");
    assert.ok(calls.length > 15, `${calls.length} calls`);
    assert.deepEqual(calls.filter(namesNoAction), []);
  });

  it("stay if they refuse something", () => {
    const calls = callsOf("showToast");
    assert.ok(calls.length > 10, `${calls.length} calls`);
    assert.deepEqual(calls.filter(isRefusal), []);
  });

  it("are recognized", () => {
    for (const bare of ["error.message", "String(error)", "`${error.message}`", "text"])
      assert.ok(namesNoAction(bare), bare);
    assert.ok(!namesNoAction("`${run.name} was not changed: ${error.message}`"));
    assert.ok(isRefusal(`"Clipboard isn't available here"`));
  });
});
