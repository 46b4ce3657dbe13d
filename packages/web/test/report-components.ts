// A reporter of Vitest that counts as `report-journeys.ts` of the suite does, and names what was skipped.
import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

export default class ReportComponents implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const skipped = tests.flatMap((test) => {
      const result = test.result();
      return result.state === "skipped" ? [{ name: test.fullName, reason: result.note ?? "gives no reason" }] : [];
    });
    for (const { name, reason } of skipped) console.log(`skipped: ${name}: ${reason}`);
    const path = process.env["WEFT_TEST_RESULT"];
    if (path === undefined) return;
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failed = tests.filter((test) => test.result().state === "failed").length + broken;
    writeFileSync(path, JSON.stringify({ passed, failed, skipped }));
  }
}
