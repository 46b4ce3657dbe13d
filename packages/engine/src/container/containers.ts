import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { RequirementSet } from "@weft/cwl/model/effective-requirements.ts";
import type { DockerRequirement } from "@weft/cwl/model/requirement.ts";
import { CONTAINER_KINDS, type ContainerKind, type ContainerSetting } from "@weft/shared/records/container-record.ts";
import { untilAborted } from "../async/until-aborted.ts";
import type { Log } from "../log.ts";
import type { ContainerEngine, Image, ImageSource } from "./container-engine.ts";
import type { ContainerRequest } from "./container-requests.ts";
import { imageName, imageSource } from "./image-source.ts";

/** The container choice for a job. */
export type ContainerChoice =
  | { readonly engine: ContainerEngine; readonly version: string; readonly source: ImageSource; readonly image: string }
  | { readonly engine: undefined; readonly image: string; readonly why: string };

/** A choice that has an engine. */
export type EngineChoice = Extract<ContainerChoice, { readonly version: string }>;

interface Fetch {
  readonly image: Promise<Image>;
  readonly stop: AbortController;
  waiting: number;
}

export interface ContainersOptions {
  readonly setting: ContainerSetting;
  readonly engineOf: (kind: ContainerKind) => ContainerEngine;
  readonly log: Log;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /**
   * If `auto` finds no engine: true to warn about a required container, as about a hint, instead of refusing the run.
   * This suits a person who reads the warning on the command line; an unattended server refuses.
   */
  readonly passesOver?: boolean;
}

/** An engine that failed may have been started since; an image may have been removed. */
const LOOK_AGAIN_MS = 30_000;
export const IGNORED = "containers are turned off (--no-container)";
export const WITHOUT_CONTAINER =
  "ignore DockerRequirement with --no-container, or install and start docker, podman or apptainer";

/**
 * The container engine of this server or run. Probes nothing until the first tool requests a container, then keeps an
 * engine that works. Fetches each image once for all waiting jobs, and stops when the last of them stops waiting.
 */
export class Containers {
  readonly setting: ContainerSetting;
  readonly #options: ContainersOptions;
  readonly #engines = new Map<ContainerKind, ContainerEngine>();
  readonly #present = new Map<string, { readonly image: Image; readonly sinceMs: number }>();
  readonly #fetches = new Map<string, Fetch>();
  /** Images that were requested by digest and are not available. */
  readonly #missed = new Map<string, { readonly why: CwlFailure; readonly sinceMs: number }>();
  readonly #closing = new AbortController();
  #found: { readonly result: Promise<FoundEngine>; readonly sinceMs: number } | undefined;
  #works = false;

  constructor(options: ContainersOptions) {
    this.setting = options.setting;
    this.#options = options;
  }

  /** The engine of a kind, whether or not it works. */
  engine(kind: ContainerKind): ContainerEngine {
    const known = this.#engines.get(kind);
    if (known !== undefined) return known;
    const engine = this.#options.engineOf(kind);
    this.#engines.set(kind, engine);
    return engine;
  }

  /** Undefined if the tool requests no container. Rejects with UNSUPPORTED if it requires one and no engine works. */
  async choose(requirements: RequirementSet): Promise<ContainerChoice | undefined> {
    const requirement = requirements.get("DockerRequirement");
    if (requirement === undefined) return undefined;
    const image = imageName(requirement);
    if (this.setting === "none") return { engine: undefined, image, why: IGNORED };
    const found = await this.#find();
    if (found.engine !== undefined) return chosen(found, requirement);
    if (this.#passesOver || !requirements.isRequired("DockerRequirement"))
      return { engine: undefined, image, why: found.why };
    throw new CwlFailure("UNSUPPORTED", `the tool requires the container image ${image}, but ${found.why}`, {
      place: "requirements.DockerRequirement",
      hint: WITHOUT_CONTAINER,
    });
  }

  /** The choice for a job that an earlier server started with an engine. */
  chosenBefore(kind: ContainerKind, version: string, requirement: DockerRequirement): ContainerChoice {
    return chosen({ engine: this.engine(kind), version }, requirement);
  }

  /** Reports about a process before it runs: a reason to refuse it, or warnings. */
  async review(
    wishes: readonly ContainerRequest[],
  ): Promise<{ readonly refusal?: string; readonly warnings: readonly string[] }> {
    if (wishes.length === 0) return { warnings: [] };
    const found = this.setting === "none" ? undefined : await this.#find();
    if (found?.engine !== undefined) return { warnings: [] };
    const why = found?.why ?? IGNORED;
    const mayRefuse = found !== undefined && !this.#passesOver;
    const required = mayRefuse ? wishes.find(({ isRequired }) => isRequired) : undefined;
    if (required !== undefined)
      return { refusal: `${required.tool} requires the container image ${required.image}, but ${why}`, warnings: [] };
    return { warnings: wishes.map((wish) => withoutContainer(wish, why)) };
  }

  /** The image of a choice, if it is already on this machine. */
  find(choice: EngineChoice): Promise<Image | undefined> {
    return this.#findImage(keyOf(choice), choice);
  }

  /**
   * The image of a choice; calls `onFetch` if it must be fetched first. Rejects with a CwlFailure, or when `signal`
   * aborts.
   */
  async prepare(
    choice: EngineChoice,
    { onFetch, signal }: { readonly onFetch: () => Promise<void>; readonly signal: AbortSignal },
  ): Promise<Image> {
    const key = keyOf(choice);
    const present = this.#fetches.has(key) ? undefined : await this.#findImage(key, choice);
    if (present !== undefined) return present;
    this.#refuseMissed(key);
    await onFetch();
    return this.#fetch(key, choice, signal);
  }

  /** Stops fetching. */
  close(): void {
    this.#closing.abort();
  }

  get #passesOver(): boolean {
    return this.setting === "auto" && this.#options.passesOver === true;
  }

  #find(): Promise<FoundEngine> {
    const { setting, now } = this.#options;
    if (setting === "none") return Promise.resolve({ engine: undefined, why: IGNORED });
    if (this.#found === undefined || (!this.#works && now() - this.#found.sinceMs > LOOK_AGAIN_MS))
      this.#found = { result: this.#probe(setting), sinceMs: now() };
    return this.#found.result;
  }

  async #probe(setting: Exclude<ContainerSetting, "none">): Promise<FoundEngine> {
    const found = await findEngine(setting, (kind) => this.engine(kind));
    this.#works = found.engine !== undefined;
    const { log } = this.#options;
    if (found.engine === undefined) log("warn", found.why);
    else log("info", "a container engine was found", { engine: found.engine.kind, version: found.version });
    if (found.engine !== undefined) for (const remark of found.remarks) log("info", remark);
    return found;
  }

  async #findImage(key: string, { engine, source }: EngineChoice) {
    const known = this.#present.get(key);
    if (known !== undefined && this.#options.now() - known.sinceMs < LOOK_AGAIN_MS) return known.image;
    this.#present.delete(key);
    const image = await engine.findImage(source);
    if (image !== undefined) this.#present.set(key, { image, sinceMs: this.#options.now() });
    return image;
  }

  /** Avoids a thousand requests to a registry for an image that it does not have. */
  #refuseMissed(key: string): void {
    const missed = this.#missed.get(key);
    if (missed === undefined) return;
    if (this.#options.now() - missed.sinceMs < LOOK_AGAIN_MS) throw missed.why;
    this.#missed.delete(key);
  }

  async #fetch(key: string, choice: EngineChoice, signal: AbortSignal): Promise<Image> {
    const fetch = this.#fetches.get(key) ?? this.#beginFetch(key, choice);
    fetch.waiting += 1;
    try {
      return await untilAborted(fetch.image, signal);
    } finally {
      fetch.waiting -= 1;
      if (fetch.waiting === 0) fetch.stop.abort();
    }
  }

  #beginFetch(key: string, choice: EngineChoice): Fetch {
    const stop = new AbortController();
    const image = this.#fetchNow(choice, AbortSignal.any([stop.signal, this.#closing.signal]));
    const fetch: Fetch = { image, stop, waiting: 0 };
    this.#fetches.set(key, fetch);
    const forget = () => {
      if (this.#fetches.get(key) === fetch) this.#fetches.delete(key);
    };
    // All waiting jobs get the result.
    image.then(forget, (error: unknown) => {
      forget();
      if (choice.source.digest !== undefined && error instanceof CwlFailure)
        this.#missed.set(key, { why: error, sinceMs: this.#options.now() });
    });
    stop.signal.addEventListener("abort", forget, { once: true });
    return fetch;
  }

  async #fetchNow({ engine, source }: EngineChoice, signal: AbortSignal): Promise<Image> {
    const { log, now } = this.#options;
    const startMs = now();
    log("info", "a container image is being fetched", { engine: engine.kind, image: source.name });
    const image = await engine.fetchImage(source, signal);
    const seconds = Math.round((now() - startMs) / 100) / 10;
    log("info", "a container image is ready", {
      engine: engine.kind,
      image: source.name,
      digest: image.digest,
      seconds,
    });
    return image;
  }
}

function keyOf({ engine, source }: EngineChoice): string {
  return JSON.stringify([engine.kind, source]);
}

function chosen(
  { engine, version }: { engine: ContainerEngine; version: string },
  requirement: DockerRequirement,
): ContainerChoice {
  return { engine, version, source: imageSource(requirement), image: imageName(requirement) };
}

export function withoutContainer({ tool, image }: Pick<ContainerRequest, "tool" | "image">, why: string): string {
  return `${tool} requests the container image ${image}, but runs without it, using the programs of this machine: ${why}`;
}

type FoundEngine =
  | { readonly engine: ContainerEngine; readonly version: string; readonly remarks: readonly string[] }
  /** A complete sentence that names what was tried. */
  | { readonly engine: undefined; readonly why: string };

/** The first working engine of those that the setting allows, in the order of `CONTAINER_KINDS`. */
async function findEngine(
  setting: Exclude<ContainerSetting, "none">,
  engineOf: (kind: ContainerKind) => ContainerEngine,
): Promise<FoundEngine> {
  const tried: string[] = [];
  for (const kind of setting === "auto" ? CONTAINER_KINDS : [setting]) {
    const engine = engineOf(kind);
    const probe = await engine.probe();
    if (probe.works) return { engine, version: probe.version, remarks: probe.remarks ?? [] };
    tried.push(`${kind} ${probe.why}`);
  }
  return { engine: undefined, why: `no container engine works here (${tried.join("; ")})` };
}
