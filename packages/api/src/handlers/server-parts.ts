import type { Engine } from "@weft/engine/port/engine.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Login } from "../auth/login.ts";
import type { EventBatcher } from "../events/event-batcher.ts";
import type { Log } from "@weft/engine/log.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** Everything that handlers use. */
export interface ServerParts {
  readonly engine: Engine;
  readonly batcher: EventBatcher;
  readonly login: Login;
  readonly metrics: Metrics;
  readonly audit: AuditLog;
  /** Aborts when the server closes: waiting requests are answered immediately. */
  readonly closing: AbortSignal;
  readonly log: Log;
  /** Whether non-admins see only their own runs. */
  readonly privateRuns: boolean;
  /** Called when the engine has stopped because of POST /shutdown; calls after the first do nothing. */
  readonly onShutdown: () => void;
}
