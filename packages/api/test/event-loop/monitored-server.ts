// monitored-server.ts STATE_ROOT: runs a server on a real engine in a separate process, with a monitor of its event loop. Sends
// `{address}` when it listens, and replies to every message by `{longestMs}`, the longest turn since the previous one.
import { join } from "node:path";
import { openTestEngine } from "@weft/engine/testing/open-test-engine.ts";
import { createServer } from "../../src/create-server.ts";
import { NO_RATES } from "../../src/limits/rate-limits.ts";
import { TurnMonitor } from "./turn-monitor.ts";

const [root = ""] = process.argv.slice(2);
const engine = await openTestEngine(root, { container: "none", maxUploadBytes: 2 ** 30, jobs: 1 });
const auditFolder = join(root, "audit");
const examine = () => Promise.reject(new Error("this server does not examine anything"));
const options = { host: "127.0.0.1", port: 0, log: () => {}, rates: NO_RATES };
const server = await createServer({ engine, auditFolder, examine, ...options });
const monitor = new TurnMonitor();
monitor.start();
process.on("message", () => process.send?.({ longestMs: monitor.take() }));
process.on("disconnect", () => process.exit());
process.send?.({ address: server.address });
