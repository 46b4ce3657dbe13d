import { sampleKey } from "../../../../src/automate/decide.ts";
import type { Violation } from "../violation.ts";
import type { PlannedAutomation } from "./plan-automation.ts";
import { asQueryResult, type SampleFolder, type SampleVersion } from "./sample-folder.ts";

type Breaks = (invariant: Violation["invariant"], message: string) => void;

interface WatchedWorld {
  readonly nowMs: () => number;
  readonly breaks: Breaks;
  readonly folder: SampleFolder;
  readonly digest: string;
}

/** Everything that an automation would start twice has started this long after the last start. */
const LOOKS_MS = 35_000;

/** Compares the samples that automations start with the files in the folder. */
export class AutomationWatch {
  readonly #world: WatchedWorld;
  readonly #planned: PlannedAutomation;
  readonly #versions = new Map<string, SampleVersion>();
  /** Runs by the automation and the version that each started. */
  readonly #started = new Map<string, string>();
  /** Number of samples of each started run. */
  readonly #runs = new Map<string, number>();
  readonly #automations = new Set<string>();
  #lastMs = 0;

  constructor(planned: PlannedAutomation, world: WatchedWorld) {
    this.#planned = planned;
    this.#world = world;
  }

  /** The runs with samples, with their number. */
  get runs(): ReadonlyMap<string, number> {
    return this.#runs;
  }

  /** Called for each query: what it found. */
  found(versions: readonly SampleVersion[]): void {
    const { samples } = asQueryResult(versions);
    for (const [at, version] of versions.entries()) {
      const sample = samples[at];
      if (sample === undefined) continue;
      const key = sampleKey(sample, this.#world.digest);
      const known = this.#versions.get(key);
      if (known !== undefined && nameOf(known) !== nameOf(version))
        this.#world.breaks("different samples have different keys", nameOf(version));
      this.#versions.set(key, version);
    }
  }

  /** Called for each event of the log, perhaps again after a restart. */
  take(type: string, runId: string | null, text: string): void {
    if (type === "automation.created") this.#noteAutomation(JSON.parse(text) as CreatedAutomation);
    if (type === "automation.failed") this.#world.breaks("an automation fails only for a reason", text);
    if (type === "run.ended") this.#lastMs = this.#world.nowMs();
    if (type !== "run.created" || runId === null || this.#runs.has(runId)) return;
    const { automation, samples: named } = JSON.parse(text) as CreatedRun;
    if (automation === undefined || !this.#automations.has(automation.automation_id)) return;
    const { files: samples = [] } = named;
    this.#runs.set(runId, samples.length);
    this.#lastMs = this.#world.nowMs();
    const versions = automation.keys.flatMap((key) => this.#versions.get(key) ?? []);
    for (const version of versions) this.#take(`${automation.automation_id} ${nameOf(version)}`, { runId, version });
    const names = versions.map(({ name }) => name);
    const isRight = this.#planned.settings.mode === "all" || samples.length === names.length;
    if (!isRight || names.some((name) => !samples.includes(name)))
      this.#world.breaks("a run has the samples that it starts", `${runId}: ${samples.join()} for ${names.join()}`);
  }

  #noteAutomation({ automation_id: id, settings: { name } }: CreatedAutomation): void {
    if (name === this.#planned.settings.name) this.#automations.add(id);
  }

  /** Everything has started, and an automation that wants to start it again has had its time. */
  get isDone(): boolean {
    const { folder, nowMs } = this.#world;
    if (this.#automations.size === 0 || nowMs() < this.#lastMs + LOOKS_MS || !folder.isComplete) return false;
    const versions = folder.versions();
    return [...this.#automations].every((id) =>
      versions.every((version) => this.#started.has(`${id} ${nameOf(version)}`)),
    );
  }

  #take(start: string, { runId, version }: { readonly runId: string; readonly version: SampleVersion }): void {
    const other = this.#started.get(start);
    if (other !== undefined) this.#world.breaks("each sample starts once", `${start} in ${other} and ${runId}`);
    this.#started.set(start, runId);
    const age = this.#world.nowMs() - version.changedMs;
    if (age < this.#planned.settings.settle_s * 1000)
      this.#world.breaks("samples settle before they start", `${start} is ${age} ms old`);
  }
}

/** The data of `automation.created`, as recorded. */
interface CreatedAutomation {
  readonly automation_id: string;
  readonly settings: { readonly name: string };
}

/** The data of `run.created`, as recorded. */
interface CreatedRun {
  /** Names of samples by input. */
  readonly samples: { readonly files?: readonly string[] };
  readonly automation?: { readonly automation_id: string; readonly keys: readonly string[] };
}

function nameOf({ name, ino, size, changedMs }: SampleVersion): string {
  return `${name} ${ino} ${size} ${changedMs}`;
}
