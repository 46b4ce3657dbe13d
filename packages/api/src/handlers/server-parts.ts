import type { Engine } from "@weft/engine/port/engine.ts";
import type { MachineReport } from "@weft/shared/records/machine-record.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Grants } from "../auth/caller-of.ts";
import type { Login } from "../auth/login.ts";
import type { EventBatcher } from "../events/event-batcher.ts";
import type { Log } from "@weft/engine/log.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** The parts of the server that handlers use. */
export interface ServerParts extends Grants {
  readonly engine: Engine;
  readonly batcher: EventBatcher;
  readonly login: Login;
  readonly metrics: Metrics;
  readonly audit: AuditLog;
  /** Aborts when the server closes: waiting requests are answered immediately. */
  readonly closing: AbortSignal;
  readonly log: Log;
  /** Finds out what this machine provides and lacks. */
  readonly examine: () => Promise<MachineReport>;
  /** True if authors can write and publish drafts. */
  readonly workbench: boolean;
  /** Called when the engine has stopped because of POST /shutdown. Further calls have no effect. */
  readonly onShutdown: () => void;
}
