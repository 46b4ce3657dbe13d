import type { TestResult } from "./run-test.ts";
import { shownPath } from "../output/diagnostic-text.ts";

/** Problems of a test, one line for each finding; empty if it passed. */
export function failureLines({ unmet, wrong }: Pick<TestResult, "unmet" | "wrong">, cwd: string): readonly string[] {
  if (wrong !== undefined) return wrong.split("\n");
  return unmet.map(({ at, part, message }) => {
    const place = at.file === "" ? "" : `${shownPath(at.file, cwd)}:${at.line}:${at.column}: `;
    return `${place}${part === "" ? "" : `${part}: `}${message}`;
  });
}

export function hasPassed({ unmet, wrong }: TestResult): boolean {
  return unmet.length === 0 && wrong === undefined;
}

function titleOf({ test: { subject, name } }: TestResult): string {
  return `${subject} ${name}`;
}

/** Results in the Test Anything Protocol, version 14. */
export function tapText(results: readonly TestResult[], cwd: string): string {
  const lines = results.flatMap((result, index) => {
    const isOk = hasPassed(result);
    const title = titleOf(result).replaceAll(/[\\#]/g, "\\$&");
    const failures = isOk ? [] : ["  message: |", ...failureLines(result, cwd).map((line) => `    ${line}`)];
    return [
      `${isOk ? "ok" : "not ok"} ${index + 1} - ${title}`,
      "  ---",
      `  duration_ms: ${result.durationMs}`,
      ...failures,
      "  ...",
    ];
  });
  return ["TAP version 14", `1..${results.length}`, ...lines, ""].join("\n");
}

/** The XML that continuous integration reads, one suite for each tool or network. */
export function junitText(results: readonly TestResult[], cwd: string): string {
  const suites = [...Map.groupBy(results, ({ test }) => test.subject)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${countsOf(results)}>`,
    ...suites.flatMap(([subject, own]) => [
      `  <testsuite name="${escaped(subject)}" ${countsOf(own)}>`,
      ...own.flatMap((result) => caseLines(result, cwd)),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function countsOf(results: readonly TestResult[]): string {
  const failures = results.filter((result) => result.wrong === undefined && !hasPassed(result)).length;
  const errors = results.filter(({ wrong }) => wrong !== undefined).length;
  const total = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return `tests="${results.length}" failures="${failures}" errors="${errors}" time="${seconds(total)}"`;
}

function caseLines(result: TestResult, cwd: string): readonly string[] {
  const { test, durationMs, wrong } = result;
  const head = `    <testcase classname="${escaped(test.subject)}" name="${escaped(test.name)}" time="${seconds(durationMs)}"`;
  if (hasPassed(result)) return [`${head}/>`];
  const kind = wrong === undefined ? "failure" : "error";
  const lines = failureLines(result, cwd);
  return [
    `${head}>`,
    `      <${kind} message="${escaped(lines[0] ?? "")}">${escaped(lines.join("\n"))}</${kind}>`,
    "    </testcase>",
  ];
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML 1.0 has no control characters except tab and line ends. */
function escaped(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD")
    .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
