// Checks the metrics of a server that has run a network with promtool, the linter of Prometheus.
import { spawnSync } from "node:child_process";
import { withServer } from "../with-server.mjs";

export const name = "promtool";
export const about = "`/metrics` has no errors and needs no advice";

export function version() {
  const { status, stdout, stderr } = spawnSync("promtool", ["--version"], { encoding: "utf8" });
  return status === 0 ? /version (\S+)/.exec(stdout + stderr)?.[1] : undefined;
}

export function checks() {
  return withServer(async (server) => {
    await server.runToEnd({ network: "practice-load", inputs: { count: 2, seconds: 0 } });
    const input = await (await fetch(`${server.address}/metrics`)).text();
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input, encoding: "utf8" });
    const [note] = `${stdout}${stderr}`.trim().split("\n");
    const what = "check metrics: no errors and no advice";
    return [status === 0 && note === "" ? { what, result: "works" } : { what, result: "fails", note }];
  });
}
