// A Playwright reporter that prints failures in full and counts everything else, as `report-tests.ts` does for Node tests.
import { writeFileSync } from "node:fs";
import type { FullResult, Reporter, TestCase, TestResult as Attempt } from "@playwright/test/reporter";
import type { Skipped } from "./report-tests.ts";

const SLOWEST = 5;

export default class ReportJourneys implements Reporter {
  #passed = 0;
  #failed = 0;
  readonly #skipped: Skipped[] = [];
  readonly #durationsMs: [name: string, ms: number][] = [];

  onTestEnd(test: TestCase, { status, errors, duration }: Attempt): void {
    const name = test.titlePath().slice(2).join(" › ");
    this.#durationsMs.push([name, duration]);
    if (status === "skipped") this.#skipped.push({ name, reason: reasonOf(test) });
    else if (status === test.expectedStatus) this.#passed++;
    else {
      this.#failed++;
      const reasons = errors.map(({ stack, message, snippet }) => [stack ?? message, snippet].join("\n"));
      console.log(`✗ ${name}\n${reasons.join("\n")}`);
    }
  }

  onError({ stack, message }: { stack?: string; message?: string }): void {
    console.log(stack ?? message);
  }

  onEnd({ status }: FullResult): void {
    const longest = this.#durationsMs.toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
    if (longest.length > 0)
      console.log(`  slowest: ${longest.map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`).join(", ")}`);
    const path = process.env["WEFT_TEST_RESULT"];
    const failed = status === "passed" ? this.#failed : Math.max(this.#failed, 1);
    if (path !== undefined)
      writeFileSync(path, JSON.stringify({ passed: this.#passed, failed, skipped: this.#skipped }));
  }
}

function reasonOf(test: TestCase): string {
  return test.annotations.find(({ type }) => type === "skip")?.description ?? "gives no reason";
}
