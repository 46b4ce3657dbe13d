import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stderrMessage } from "./client-failure.ts";
import type { Image, ImageSource } from "./container-engine.ts";
import { pinnedReference, qualifiedReference, unavailable } from "./image-source.ts";
import type { PodmanWorkarounds } from "./podman-workarounds.ts";
import type { RunProgram } from "../executor/run-program.ts";

export interface Fetching {
  readonly program: "docker" | "podman";
  readonly run: RunProgram;
  readonly workarounds: PodmanWorkarounds;
  readonly signal: AbortSignal;
}

/** The image under its name, or the exact image requested by digest, if docker or podman has it. */
export async function findOciImage(
  source: ImageSource,
  program: Fetching["program"],
  run: RunProgram,
): Promise<Image | undefined> {
  for (const name of namesOf(source, program)) {
    const { code, stdout } = await run(program, [
      "image",
      "inspect",
      "--format={{.Id}} {{range .RepoDigests}}{{.}} {{end}}",
      name,
    ]);
    const image = code === 0 ? describeImage(source, stdout) : undefined;
    if (image !== undefined) return image;
  }
  return undefined;
}

/** An unpublished image is known by its id alone. */
function namesOf(source: ImageSource, program: Fetching["program"]): ReadonlySet<string> {
  const { name, digest } = source;
  const names = digest === undefined ? [name] : [pinnedReference(source) ?? digest, digest];
  return new Set(program === "podman" ? names.flatMap((text) => [text, ...qualified(text)]) : names);
}

function qualified(name: string): readonly string[] {
  return name.startsWith("sha256:") ? [] : [qualifiedReference(name)];
}

/**
 * Identifies the image by its id, because a tag may move between two jobs. Undefined if this is not the exact image
 * that was requested.
 */
function describeImage({ name, digest: asked }: ImageSource, inspected: string): Image | undefined {
  const [id = "", ...digests] = inspected.trim().split(/\s+/);
  const reference = id.startsWith("sha256:") ? id : `sha256:${id}`;
  const published = digests
    .filter((text) => text.includes("@sha256:"))
    .map((text) => text.slice(text.indexOf("@") + 1));
  if (asked === undefined) return { name, reference, digest: published[0] ?? reference };
  return [reference, ...published].includes(asked) ? { name, reference, digest: asked } : undefined;
}

/** Fetches or builds an image and tags it. */
export async function fetchOciImage(source: ImageSource, fetching: Fetching): Promise<Image> {
  const scratch = await mkdtemp(join(tmpdir(), "weft-image-"));
  try {
    await obtain(source, fetching, scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const image = await findOciImage(source, fetching.program, fetching.run);
  if (image !== undefined) return image;
  throw unavailable(source.name, `${fetching.program} does not have it even after fetching it`);
}

async function obtain(source: ImageSource, fetching: Fetching, scratch: string): Promise<void> {
  const { name, origin, digest } = source;
  const act = (args: readonly string[]) => carryOut(name, args, fetching);
  if (digest !== undefined) {
    await act(["pull", "--quiet", publishedName(source, fetching.program)]);
    return;
  }
  switch (origin.from) {
    case "pull": {
      const isPodman = fetching.program === "podman";
      const reference = isPodman ? qualifiedReference(origin.reference) : origin.reference;
      await act(["pull", "--quiet", reference]);
      if (name !== origin.reference) await act(["tag", reference, name]);
      return;
    }
    case "load": {
      const output = await act(["load", "--input", await localArchive(origin.address, name, { fetching, scratch })]);
      const loaded = /^Loaded image(?:\(s\))?(?: ID)?: (\S+)$/m.exec(output)?.[1];
      if (loaded === undefined) throw unavailable(name, `the archive ${origin.address} contains no named image`);
      if (loaded !== name) await act(["tag", loaded, name]);
      return;
    }
    case "import":
      await act(["import", origin.address, name]);
      return;
    case "build": {
      // The build context is empty, because the document provides only the Dockerfile.
      const file = join(scratch, "Dockerfile");
      await writeFile(file, origin.dockerfile);
      await act(["build", ...fetching.workarounds.starting, "--tag", name, "--file", file, scratch]);
      return;
    }
    case "nowhere":
      throw unavailable(name, "it is not on this machine, and DockerRequirement does not say where to get it");
  }
}

/** The name that pulls exactly this image; its tag remains. */
function publishedName(source: ImageSource, program: Fetching["program"]): string {
  const reference = pinnedReference(source);
  if (reference !== undefined) return program === "podman" ? qualifiedReference(reference) : reference;
  throw unavailable(source.name, `${source.digest ?? ""} is not on this machine, and no registry is known that has it`);
}

async function carryOut(name: string, args: readonly string[], fetching: Fetching): Promise<string> {
  const { program, run, workarounds, signal } = fetching;
  const { code, stdout, stderr } = await run(program, [...workarounds.everywhere, ...args], { signal });
  if (code === 0) return stdout;
  throw unavailable(name, `\`${program} ${args[0]}\` failed: ${stderrMessage(stderr)}`);
}

interface Download {
  readonly fetching: Fetching;
  readonly scratch: string;
}

async function localArchive(address: string, name: string, { fetching, scratch }: Download): Promise<string> {
  if (!/^https?:/.test(address)) return address;
  const path = join(scratch, "image.tar");
  const why = await download(address, path, fetching.signal).catch((error: unknown) => causeOf(error));
  if (why === undefined) return path;
  throw unavailable(name, `${address} could not be fetched: ${why}`);
}

async function download(address: string, path: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(address, { signal });
  if (!answer.ok || answer.body === null) return `the response was ${answer.status}`;
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(path));
  return undefined;
}

/** `fetch` reports only that it failed; its cause says why. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
