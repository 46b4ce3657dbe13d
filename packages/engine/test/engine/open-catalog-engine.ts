import { after } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { Engine } from "../../src/port/engine.ts";
import type { EngineOptions } from "../../src/app/engine-options.ts";
import { openTestEngine } from "../../src/testing/open-test-engine.ts";
import { catalogExecutor, TEST_CATALOG } from "../test-catalog.ts";

export interface CatalogEngine {
  readonly engine: Engine;
  /** Parent of the folders `state` and `catalog`. */
  readonly root: string;
}

/** An engine with the test catalog in a folder of its own; it is stopped and removed after the tests of the file. */
export async function openCatalogEngine(more: Partial<EngineOptions> = {}): Promise<CatalogEngine> {
  const root = temporaryFolder(TEST_CATALOG);
  const engine = await openTestEngine(root, { container: "none", executor: catalogExecutor(), ...more });
  after(() => engine.stop("cancel"));
  return { engine, root };
}
