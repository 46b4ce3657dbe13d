import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Engine } from "../../src/port/engine.ts";
import type { EngineOptions } from "../../src/app/engine-options.ts";
import { openTestEngine } from "../../src/testing/open-test-engine.ts";
import { catalogExecutor, writeTestCatalog } from "../test-catalog.ts";

export interface CatalogEngine {
  readonly engine: Engine;
  /** Parent of the folders `state` and `catalog`. */
  readonly root: string;
}

/** An engine with the test catalog in a folder of its own; it is stopped and removed after the tests of the file. */
export async function openCatalogEngine(more: Partial<EngineOptions> = {}): Promise<CatalogEngine> {
  const root = await mkdtemp(join(tmpdir(), "weft-engine-"));
  await writeTestCatalog(join(root, "catalog"));
  const engine = await openTestEngine(root, { container: "none", executor: catalogExecutor(), ...more });
  after(async () => {
    await engine.stop("cancel");
    await rm(root, { recursive: true });
  });
  return { engine, root };
}
