import { examineMachine } from "@weft/engine/doctor/examine-machine.ts";
import { EXIT } from "../exit/exit.ts";
import { jsonText } from "../output/result-text.ts";
import { recordedAddress } from "../server/server-client.ts";
import { machineSetting } from "../settings/machine-setting.ts";
import type { Settings } from "../settings/read-settings.ts";
import type { MachineCheck, MachineReport } from "@weft/shared/records/machine-record.ts";

/** Prints the capabilities of this machine, and those that it lacks. Only failed checks change the exit code. */
export async function doctorCommand(settings: Settings): Promise<number> {
  // The address in another account's state folder may be unreadable.
  const servedAt = await recordedAddress(settings.stateFolder()).catch(() => undefined);
  const report = await examineMachine(await machineSetting(settings, { servedAt, isServer: false }));
  settings.io.stdout.write(settings.isOn("json") ? jsonText(report) : machineText(report));
  return report.checks.some(({ state }) => state === "failed") ? EXIT.failure : EXIT.success;
}

const MARKS: Readonly<Record<MachineCheck["state"], string>> = { ok: "✓", warning: "!", failed: "✗" };

/** The report as lines: one for each check, followed by the command that fixes the problem. */
function machineText({ version, platform, checks }: MachineReport): string {
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
