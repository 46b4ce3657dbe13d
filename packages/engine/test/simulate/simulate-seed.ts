import { Catalog } from "../../src/catalog/catalog.ts";
import { useMachine } from "./machine/current.ts";
import { Decisions } from "./machine/decisions.ts";
import { WORLD, type EventLoop } from "./machine/event-loop.ts";
import { Machine, ProcessKilled } from "./machine/machine.ts";
import { promisesSettled, realImmediate } from "./machine/real-immediate.ts";
import { ForeignFiles } from "./backends/foreign-files.ts";
import { DOCUMENTS } from "./world/documents.ts";
import { checkScheduler } from "./world/scheduler-world.ts";
import { Violation } from "./world/violation.ts";
import { World } from "./world/world.ts";

export interface Outcome {
  readonly seed: number;
  /** Undefined: every promise was kept. */
  readonly violation: { readonly invariant: string; readonly message: string } | undefined;
  readonly faults: readonly string[];
  readonly digest: string;
  readonly steps: number;
  readonly lines: readonly string[];
}

/** One world in so many also has a crowd at its scheduler. */
const SCHEDULED = 128;
/** How often it is found out whether an error is left unhandled. */
const STEPS_PER_TURN = 16;
const MOST_STEPS = 200_000;
let catalog: Promise<Catalog> | undefined;
let rejected: unknown;
process.on("unhandledRejection", (error) => {
  if (!(error instanceof ProcessKilled)) rejected ??= error;
});

/** Lives through the world of a seed, without the faults named in `suppressed`. */
export async function simulateSeed(seed: number, suppressed: ReadonlySet<string> = new Set()): Promise<Outcome> {
  catalog ??= loadCatalog();
  const loaded = await catalog;
  rejected = undefined;
  const world = new World(seed, loaded, suppressed);
  Object.assign(globalThis, { fetch: world.service.fetch });
  const violation = await violationIn(world);
  if (violation !== undefined) world.history.note(`BROKEN: ${violation.message}`);
  world.finish();
  await realImmediate();
  const { decisions, history, machine } = world;
  return {
    ...{ seed, faults: decisions.faults, digest: history.digest, steps: machine.loop.steps, lines: history.lines },
    violation: violation && { invariant: violation.invariant, message: violation.message },
  };
}

async function violationIn(world: World): Promise<Violation | undefined> {
  const { loop } = world.machine;
  try {
    world.begin();
    await realImmediate();
    while (!world.isOver) {
      step(loop);
      if (loop.steps > MOST_STEPS) throw new Violation("every run ends", "too much happens");
      // Everything that follows from the event, before the next one.
      await (loop.steps % STEPS_PER_TURN === 0 ? realImmediate() : promisesSettled());
      if (world.log.broken !== undefined) return world.log.broken;
      if (rejected !== undefined) throw new Violation("no error is left unhandled", textOf(rejected));
    }
    await realImmediate();
    if (rejected !== undefined) return new Violation("no error is left unhandled", textOf(rejected));
    world.check();
    if (world.seed % SCHEDULED === 0) checkScheduler(world.decisions);
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}

function step(loop: EventLoop): void {
  try {
    if (!loop.step()) throw new Violation("every run ends", "nothing happens any more");
  } catch (error) {
    if (error instanceof Violation) throw error;
    // The server was killed in the middle of the event.
    if (!(error instanceof ProcessKilled)) throw new Violation("no error is left unhandled", textOf(error));
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Documents are read once for all worlds. */
async function loadCatalog(): Promise<Catalog> {
  const machine = new Machine(new Decisions(0));
  useMachine(machine);
  const files = new ForeignFiles(machine);
  for (const folder of ["/catalog", "/catalog/networks", "/catalog/tools"]) files.folder(folder);
  for (const [id, text] of Object.entries(DOCUMENTS)) {
    files.folder(`/catalog/networks/${id}`);
    files.write(`/catalog/networks/${id}/${id}.cwl`, text);
  }
  const loaded = new Catalog("/catalog");
  const state = { isLoaded: false };
  const loading = loaded.load(() => {}).then(() => (state.isLoaded = true));
  machine.loop.after(1e6, () => {}, WORLD);
  while (!state.isLoaded && machine.loop.step()) await realImmediate();
  await loading;
  return loaded;
}
