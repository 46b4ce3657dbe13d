import { runEntityTag } from "../http/entity-tag.ts";
import { hashedAnswer } from "../http/hashed-answer.ts";
import type { HashedText } from "@weft/engine/port/route-methods.ts";
import { answerArchive } from "../files/answer-archive.ts";
import { receiveUpload } from "../files/receive-upload.ts";
import type { ContentAnswer, Handlers, RouteAnswerOf, RouteRequest } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type ProvenanceRoute = "GET /api/runs/{run_id}/provenance";
/** Provenance: export, import, lineage, comparison and reproduction. */
export function createProvenanceHandlers(parts: ServerParts): Handlers {
  const { provenance } = parts.engine;
  return {
    "GET /api/runs/{run_id}/provenance": (request) => exportRun(parts, request),
    "POST /api/provenance/crates": async ({ caller, ctx }) => {
      const run = await receiveUpload(ctx, (content) => provenance.importCrate(caller, { kind: "zip", content }));
      return {
        status: 201,
        body: run,
        headers: { Location: run.url },
        entityTag: runEntityTag(run.run_id, run.revision),
      };
    },
  };
}

async function exportRun(
  { engine }: ServerParts,
  { caller, params: { run_id: runId }, query, ctx }: RouteRequest<ProvenanceRoute>,
): Promise<RouteAnswerOf<ProvenanceRoute>> {
  const { provenance } = engine;
  switch (query.format ?? "prov-json") {
    case "prov-json":
      return hashedAnswer(await provenance.provJson(caller, runId));
    case "ro-crate-metadata":
      return text("application/ld+json; charset=utf-8", await provenance.crateMetadata(caller, runId));
    case "ro-crate":
      return answerArchive(ctx, await provenance.crateArchive(caller, runId));
  }
}

function text(mediaType: string, { bytes }: HashedText): ContentAnswer {
  return { status: 200, mediaType, content: bytes, headers: { "Cache-Control": "no-store" } };
}
