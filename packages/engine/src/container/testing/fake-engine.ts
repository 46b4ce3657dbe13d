import type { ContainerKind } from "@weft/shared/records/container-record.ts";
import type {
  ContainerCommand,
  ContainerEngine,
  ContainerJob,
  Image,
  ImageSource,
  Probe,
} from "../container-engine.ts";
import { ociFailure } from "../client-failure.ts";

/** A container engine in memory: images by name, containers by id with their labels. */
export class FakeEngine implements ContainerEngine {
  readonly kind: ContainerKind;
  readonly images = new Set<string>();
  readonly live = new Map<string, { readonly labels: readonly string[]; readonly running: boolean }>();
  health: Probe = { works: true, version: "1.0" };
  /** How many requests for containers stay unanswered. */
  silences = 0;
  probes = 0;
  fetches = 0;
  /** Fetches that were stopped. */
  stops = 0;
  /** Resolves when an image may arrive. */
  arrival: Promise<unknown> = Promise.resolve();

  constructor(kind: ContainerKind) {
    this.kind = kind;
  }

  async probe(): Promise<Probe> {
    this.probes += 1;
    return this.health;
  }

  async findImage({ name }: ImageSource): Promise<Image | undefined> {
    return this.images.has(name) ? imageOf(name) : undefined;
  }

  async fetchImage({ name }: ImageSource, signal: AbortSignal): Promise<Image> {
    this.fetches += 1;
    signal.addEventListener("abort", () => this.stops++);
    await this.arrival;
    this.images.add(name);
    return imageOf(name);
  }

  command({ argv, env }: ContainerJob): ContainerCommand {
    return { argv, env };
  }

  ownFailure(exitCode: number, stderrTail: string): string | undefined {
    return ociFailure("podman", exitCode, stderrTail);
  }

  async containers(label: string, which: "running" | "all"): Promise<readonly string[]> {
    if (this.silences-- > 0) throw new Error("the engine does not answer");
    return [...this.live]
      .filter(([, { labels, running }]) => labels.includes(label) && (running || which === "all"))
      .map(([id]) => id);
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.live.delete(id);
  }
}

function imageOf(name: string): Image {
  return { name, reference: `id-of-${name}`, digest: `sha256:${name}` };
}
