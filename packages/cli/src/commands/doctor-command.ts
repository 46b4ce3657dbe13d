import { examineMachine } from "@weft/engine/doctor/examine-machine.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { machineText } from "../output/machine-text.ts";
import { recordedAddress } from "../server/server-address.ts";
import { machineSetting } from "../settings/machine-setting.ts";
import type { Settings } from "../settings/read-settings.ts";

/** Prints what this machine provides and lacks. Only failed checks change the exit code. */
export async function doctorCommand(settings: Settings): Promise<number> {
  // The address in another account's state folder may be unreadable.
  const servedAt = await recordedAddress(settings.stateFolder()).catch(() => undefined);
  const report = await examineMachine(await machineSetting(settings, { servedAt, isServer: false }));
  const text = settings.isOn("json") ? `${JSON.stringify(report, null, 2)}\n` : machineText(report);
  const hasFailed = report.checks.some(({ state }) => state === "failed");
  settings.io.stdout.write(text);
  return hasFailed ? EXIT.failure : EXIT.success;
}
