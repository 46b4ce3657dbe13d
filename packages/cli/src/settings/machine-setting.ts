import type { Machine } from "@weft/engine/doctor/machine.ts";
import { runProgram } from "@weft/engine/executor/run-program.ts";
import { executionSettings } from "./execution-settings.ts";
import type { Settings } from "./read-settings.ts";
import { SHIPPED } from "./shipped-files.ts";

/** The machine as the options of `weft serve` use it. */
export async function machineSetting(
  settings: Settings,
  server: Pick<Machine, "servedAt" | "isServer">,
): Promise<Machine> {
  const { version, backend, container, jobSandbox } = await executionSettings(settings, "auto");
  return {
    ...server,
    version,
    stateFolder: settings.stateFolder(),
    host: settings.text("host") ?? "127.0.0.1",
    port: settings.count("port", 0, 65_535) ?? 8080,
    baseUrl: settings.text("base-url"),
    backend,
    container,
    sandbox: jobSandbox,
    controlGroups: !settings.isOn("no-control-groups"),
    webRoot: SHIPPED.web,
    env: settings.io.env,
    run: runProgram,
  };
}
