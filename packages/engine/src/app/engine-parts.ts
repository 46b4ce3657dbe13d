import type { OutputFiles } from "@weft/language/tool-tests/judge-content.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { DraftStore } from "../drafts/draft-store.ts";
import type { Agent } from "../port/engine.ts";
import type { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { ReadPool } from "../read/read-pool.ts";
import type { WesDocuments } from "../wes-documents/wes-documents.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { ServerState } from "./server-state.ts";
import type { EngineStop } from "./stop-engine.ts";

export interface EngineParts {
  readonly options: EngineOptions;
  readonly startedMs: number;
  readonly state: ServerState;
  readonly catalog: Catalog;
  readonly reload: () => Promise<void>;
  readonly drafts: DraftStore;
  readonly services: RunServices;
  readonly registry: RunRegistry;
  readonly wesDocuments: WesDocuments;
  readonly reads: ReadPool;
  readonly end: EngineStop;
  readonly outputFiles: OutputFiles;
  /** Closed when the engine stops. */
  readonly agents: Agent[];
}
