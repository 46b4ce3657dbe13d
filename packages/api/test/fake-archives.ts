import { Readable } from "node:stream";
import type { Caller, EngineArchives, ServableArchive } from "@weft/engine/port/engine.ts";
import type { WantedBundle } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";

/** Archives whose bytes a test chooses. */
export class FakeArchives implements EngineArchives {
  /** Undefined: the run has no outputs. */
  content: string | undefined = "zip";
  /** Thrown while the archive is sent. */
  failure: Error | undefined;
  opened = 0;
  /** Refuses a run that the caller does not see. */
  requireRun: (caller: Caller, runId: string) => void = () => undefined;

  async outputs(caller: Caller, runId: string): Promise<ServableArchive> {
    this.requireRun(caller, runId);
    return this.#archive(`outputs-${runId}.zip`);
  }

  async job(caller: Caller, { runId, jobId, withData }: WantedBundle): Promise<ServableArchive> {
    this.requireRun(caller, runId);
    return this.#archive(`${jobId}-${withData ? "data" : "safe"}.zip`);
  }

  #archive(name: string): ServableArchive {
    const { content, failure } = this;
    if (content === undefined) throw new Refusal("file-not-found", "The run has no outputs");
    const open = () => {
      this.opened += 1;
      return Readable.from(parts(content, failure));
    };
    return { name, open };
  }
}

async function* parts(content: string, failure: Error | undefined) {
  yield Buffer.from(content);
  if (failure !== undefined) throw failure;
}
