import type { JobContainer } from "@weft/shared/records/job-container.ts";
import { qualifiedReference } from "../../container/image-source.ts";
import { ref } from "./crate-graph.ts";
import type { CrateGraph } from "./crate-graph.ts";

const TERMS = "https://w3id.org/ro/terms/workflow-run#";

/** The image that a job ran in; none where it ran without. Answers its id. */
export function describeContainer(graph: CrateGraph, container: JobContainer): readonly string[] {
  if (container.engine === "none") return [];
  const { image, digest, engine } = container;
  const isFile = engine === "apptainer" || engine === "singularity";
  const { registry, name, tag } = imageParts(image);
  return [
    graph.addOnce({
      "@id": `#container/${encodeURIComponent(digest ?? `${engine}/${image}`)}`,
      "@type": "ContainerImage",
      additionalType: ref(TERMS + (isFile ? "SIFImage" : "DockerImage")),
      registry,
      name,
      tag,
      ...(digest === null ? {} : { sha256: digest.replace(/^sha256:/, "") }),
    }),
  ];
}

/** `docker.io/library/debian:stable` → registry, name and tag. */
function imageParts(image: string) {
  const [, registry = "", rest = ""] = /^([^/]+)\/(.+)$/.exec(qualifiedReference(image)) ?? [];
  const [named = rest] = rest.split("@");
  const colon = named.lastIndexOf(":");
  return colon < 0
    ? { registry, name: named, tag: "latest" }
    : { registry, name: named.slice(0, colon), tag: named.slice(colon + 1) };
}
