import { createHash } from "node:crypto";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { DockerRequirement } from "@weft/cwl/model/requirement.ts";
import type { ImageOrigin, ImageSource } from "./container-engine.ts";

/** The request of a DockerRequirement, in plain words. */
export function imageName(requirement: DockerRequirement): string {
  const { dockerImageId, dockerPull, dockerLoad, dockerImport } = requirement;
  return dockerImageId ?? dockerPull ?? dockerLoad ?? dockerImport ?? "built from dockerFile";
}

/**
 * The source and name of the image of a DockerRequirement. `dockerImageId` is the name if present; otherwise a pulled
 * image keeps its own name, and other images get a name derived from their source. CWL v1.2
 * CommandLineTool.html#DockerRequirement.
 */
export function imageSource(requirement: DockerRequirement): ImageSource {
  const origin = originOf(requirement);
  return { name: requirement.dockerImageId ?? nameOf(origin), origin };
}

function originOf({ dockerPull, dockerLoad, dockerImport, dockerFile, dockerImageId }: DockerRequirement): ImageOrigin {
  if (dockerPull !== undefined) return { from: "pull", reference: dockerPull };
  if (dockerLoad !== undefined) return { from: "load", address: addressOf(dockerLoad, "dockerLoad") };
  if (dockerImport !== undefined) return { from: "import", address: addressOf(dockerImport, "dockerImport") };
  if (dockerFile !== undefined) return { from: "build", dockerfile: dockerFile };
  if (dockerImageId !== undefined) return { from: "nowhere" };
  throw new CwlFailure("INPUT_INVALID", "DockerRequirement does not name an image", {
    place: "DockerRequirement",
    hint: "give `dockerPull`",
  });
}

/** An archive is a URL or an absolute path: the document does not define what a relative path would refer to. */
function addressOf(written: string, field: string): string {
  if (/^https?:\/\//.test(written) || written.startsWith("/")) return written;
  if (written.startsWith("file:///")) return decodeURIComponent(written.slice("file://".length));
  throw new CwlFailure("INPUT_INVALID", `\`${written}\` is neither an http(s) URL nor an absolute path`, {
    place: `DockerRequirement.${field}`,
  });
}

function nameOf(origin: ImageOrigin): string {
  switch (origin.from) {
    case "pull":
      return origin.reference;
    case "load":
    case "import":
      return `localhost/weft-${origin.from}:${shortDigest(origin.address)}`;
    case "build":
      return `localhost/weft-build:${shortDigest(origin.dockerfile)}`;
    case "nowhere":
      return "";
  }
}

/**
 * The registry's name for this exact image, ignoring the requested tag; undefined if the image comes from elsewhere.
 */
export function pinnedReference({ origin, digest }: ImageSource): string | undefined {
  if (origin.from !== "pull" || digest === undefined || origin.reference.includes("://")) return undefined;
  return `${origin.reference.replace(/(:[\w.-]+)?(@.*)?$/, "")}@${digest}`;
}

function shortDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Completes a name by the rules of Docker Hub, because podman rejects short names if no registry is configured. */
export function qualifiedReference(reference: string): string {
  const [first = "", ...rest] = reference.split("/");
  const namesHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  if (namesHost) return reference;
  return rest.length === 0 ? `docker.io/library/${reference}` : `docker.io/${reference}`;
}

/** The failure of a job whose image cannot be had. */
export function unavailable(name: string, why: string): CwlFailure {
  return new CwlFailure("STAGE_IN", `the container image ${name} is not available: ${why}`, {
    place: "DockerRequirement",
    hint: "fetch it by hand and run again, or ignore DockerRequirement with --no-container",
  });
}
