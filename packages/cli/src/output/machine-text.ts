import type { MachineCheck, MachineReport } from "@weft/shared/records/machine-record.ts";

const MARKS: Readonly<Record<MachineCheck["state"], string>> = { ok: "✓", warning: "!", failed: "✗" };

/** The report as lines: one for each check, followed by the command that fixes the problem. */
export function machineText({ version, platform, checks }: MachineReport): string {
  const width = Math.max(...checks.map(({ title }) => title.length));
  const lines = checks.flatMap(({ state, title, detail, fix }) => [
    `${MARKS[state]} ${title.padEnd(width)}  ${oneLine(detail)}`,
    ...(fix === null ? [] : [`${" ".repeat(width + 4)}Run: ${fix}`]),
  ]);
  return `Weft ${version} on ${platform}\n\n${lines.join("\n")}\n\n${summary(checks)}\n`;
}

function summary(checks: readonly MachineCheck[]): string {
  const count = (state: MachineCheck["state"]) => checks.filter((check) => check.state === state).length;
  const [warnings, failures] = [count("warning"), count("failed")];
  const passed = `${count("ok")} of ${checks.length} checks passed`;
  if (failures > 0) return `${passed}; ${failures} failed: Weft does not work here as its options say.`;
  return warnings > 0 ? `${passed}; Weft works without the rest.` : `${passed}.`;
}

/** Programs write messages of several lines, and terminals obey control characters. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim();
}
