// A server on a real engine in a process of its own, with a monitor of its event loop: `STATE_ROOT`. Says its address by
// `{address}`, and answers `{take: true}` with `{longestMs}`, the longest turn since the last time.
import { join } from "node:path";
import { openTestEngine } from "@weft/engine/testing/open-test-engine.ts";
import { createServer } from "../../src/create-server.ts";
import { NO_RATES } from "../../src/limits/rate-limits.ts";
import { TurnMonitor } from "./turn-monitor.ts";

const [root = ""] = process.argv.slice(2);
const engine = await openTestEngine(root, { container: "none", maxUploadBytes: 2 ** 30, jobs: 1 });
const auditFolder = join(root, "audit");
const examine = () => Promise.reject(new Error("this server examines nothing"));
const options = { host: "127.0.0.1", port: 0, log: () => {}, rates: NO_RATES };
const server = await createServer({ engine, auditFolder, examine, ...options });
const monitor = new TurnMonitor();
monitor.start();
process.on("message", () => process.send?.({ longestMs: monitor.take() }));
process.on("disconnect", () => process.exit());
process.send?.({ address: server.address });
