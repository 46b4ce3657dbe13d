import { runEntityTag } from "../http/entity-tag.ts";
import { hashedAnswer } from "../http/hashed-answer.ts";
import type { HashedText } from "@weft/engine/port/engine.ts";
import { answerArchive } from "../files/answer-archive.ts";
import { receiveUpload } from "../files/receive-upload.ts";
import type { ContentAnswer, Handlers, RouteAnswerOf, RouteRequest } from "../http/route-handler.ts";
import type { ServerParts } from "./server-parts.ts";

type ProvenanceRoute = "GET /api/runs/{run_id}/provenance";
type ProvenanceHandlers = Pick<
  Handlers,
  | ProvenanceRoute
  | "GET /api/provenance/files"
  | "POST /api/provenance/crates"
  | "GET /api/runs/{run_id}/lineage"
  | "GET /api/runs/{run_id}/comparison"
  | "POST /api/runs/{run_id}/reproduce"
>;

/** Provenance: export, import, lineage, comparison and reproduction. */
export function createProvenanceHandlers(parts: ServerParts): ProvenanceHandlers {
  const { runs, provenance } = parts.engine;
  return {
    "GET /api/runs/{run_id}/provenance": (request) => exportRun(parts, request),
    "GET /api/provenance/files": async ({ caller, query }) => ({
      status: 200,
      body: await runs.findFiles(caller, query),
    }),
    "POST /api/provenance/crates": async ({ caller, ctx }) => {
      const run = await receiveUpload(ctx, (content) => provenance.importCrate(caller, { kind: "zip", content }));
      return {
        status: 201,
        body: run,
        headers: { Location: run.url },
        entityTag: runEntityTag(run.run_id, run.revision),
      };
    },
    "GET /api/runs/{run_id}/lineage": async ({ caller, params, query }) => ({
      status: 200,
      body: await provenance.lineage(caller, params.run_id, query),
    }),
    "GET /api/runs/{run_id}/comparison": async ({ caller, params, query }) => {
      const { with: other, relative = 0, absolute = 0 } = query;
      return { status: 200, body: await provenance.compare(caller, [params.run_id, other], { relative, absolute }) };
    },
    "POST /api/runs/{run_id}/reproduce": async ({ caller, params, body }) => {
      const run = await runs.reproduce(caller, params.run_id, body);
      const headers = { Location: run.url };
      return { status: 201, body: run, headers, entityTag: runEntityTag(run.run_id, run.revision) };
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
