import { isUtf8 } from "node:buffer";
import { posix } from "node:path";
import { Readable } from "node:stream";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { WesDocument } from "@weft/shared/records/wes-document-record.ts";
import { describeGraph } from "@weft/cwl/workflow/describe-graph.ts";
import { presentInputs } from "../catalog/present-parameters.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import { fetchTrsTool, parseTrsAddress, parseTrsUrl } from "../catalog/fetch-trs-tool.ts";
import { openTrustedFile } from "../files/beneath/open-file.ts";
import { runLater } from "../files/beneath/steps.ts";
import { FetchProblem, toFetchProblem } from "../files/remote/fetch-problem.ts";
import type { HttpSettings } from "../files/remote/http-settings.ts";
import { readUrl } from "../files/remote/web-reader.ts";
import type { Journal } from "../journal/journal.ts";
import { decodeToken, encodeToken } from "../journal/page-query.ts";
import type { Caller } from "../port/caller.ts";
import type { EngineFiles, EngineWesDocuments } from "../port/engine.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import { timeText } from "../present/present-time.ts";
import type { WesDocuments } from "./wes-documents.ts";
import type { StoredDocument } from "./document-folder.ts";

const PAGE_SIZE = 50;
const SHOWN_TEXT_BYTES = 1024 * 1024;
/** Time limit for fetching all files of a document. */
const FETCH_MS = 60_000;

interface WesDocumentParts {
  readonly wesDocuments: WesDocuments;
  readonly journal: Pick<Journal, "read">;
  readonly uris: PortableUris;
}

/** Lists documents and approves them. */
export function wesDocumentMethods(parts: WesDocumentParts): RouteMethods {
  const { wesDocuments: documents, uris } = parts;
  const approve = async (caller: Caller, digest: string, isApproved: boolean) =>
    present(await documents.setApproval(caller, digest, isApproved), caller, parts);
  return {
    "GET /api/wes-documents": ({ caller, query }) => {
      const visible = documents.all.filter((document) => documents.isVisible(document, caller));
      const start = startOf(query.page_token, visible);
      const page = visible.slice(start, start + (query.page_size ?? PAGE_SIZE));
      const end = start + page.length;
      const last = page.at(-1);
      return {
        documents: page.map((document) => present(document, caller, parts)),
        total: visible.length,
        next_page_token: end < visible.length && last !== undefined ? encodeToken([last.digest]) : "",
      };
    },
    "GET /api/wes-documents/{digest}": async ({ caller, params }) => {
      const document = documents.require(caller, params.digest);
      const source_files = await Array.fromAsync(document.record.files, async ({ path: file, bytes, sha256 }) => ({
        ...{ file, bytes, sha256 },
        text: bytes > SHOWN_TEXT_BYTES ? null : await textOf(documents.fileOf(document, file)),
      }));
      const { process } = await documents.load(document);
      const graph = process.class === "Workflow" ? describeGraph(process) : { nodes: [], edges: [] };
      return { ...present(document, caller, parts), inputs: presentInputs(process, uris), graph, source_files };
    },
    "POST /api/wes-documents/{digest}/approve": ({ caller, params }) => approve(caller, params.digest, true),
    "POST /api/wes-documents/{digest}/withdraw": ({ caller, params }) => approve(caller, params.digest, false),
  };
}

interface ArrivalParts {
  readonly wesDocuments: WesDocuments;
  readonly files: Pick<EngineFiles, "upload">;
  /** The hosts that documents may be fetched from. */
  readonly http: HttpSettings;
}

/** Documents that arrive. */
export function createWesDocumentService(parts: ArrivalParts): EngineWesDocuments {
  const { wesDocuments: documents } = parts;
  return {
    isOn: documents.isOn,
    add: (caller, document) => documents.add(caller, document),
    fetch: (caller, address) => fetchDocument(caller, address, parts),
  };
}

function startOf(token: string | undefined, visible: readonly StoredDocument[]): number {
  const [last] = decodeToken(token, ["string"]) ?? [];
  return last === undefined ? 0 : visible.findIndex(({ digest }) => digest === last) + 1;
}

async function textOf(path: string): Promise<string | null> {
  using file = await runLater(openTrustedFile(path));
  const content = file.readAll();
  return isUtf8(content) ? content.toString("utf8") : null;
}

function present(
  { digest, record, approval }: StoredDocument,
  { links }: Caller,
  { journal: { read } }: WesDocumentParts,
): WesDocument {
  const { kind, name, primary, source, files, added_by, added_ms } = record;
  return {
    ...{ digest, url: links.wesDocument(digest), kind, name, primary, source },
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    added_by,
    added_at: timeText(added_ms),
    approved_by: approval?.by ?? null,
    approved_at: approval === undefined ? null : timeText(approval.ms),
    runs: read.processStats(kind, digest).runs,
  };
}

async function fetchDocument(
  caller: Caller,
  address: string,
  { http, files: uploads }: ArrivalParts,
): Promise<Awaited<ReturnType<EngineWesDocuments["fetch"]>>> {
  const trs = parseTrsAddress(address) ?? parseTrsUrl(address);
  const url = trs?.url ?? (address.startsWith("https://") ? address : undefined);
  if (url === undefined) return undefined;
  const fetched = await unlessRefused(address, async () => {
    const signal = AbortSignal.timeout(FETCH_MS);
    refuseHost(url, http);
    if (trs !== undefined) return fetchTrsTool(trs, http, signal);
    const primary = posix.basename(new URL(url).pathname) || "document.cwl";
    return { primary, files: new Map([[primary, await readUrl(url, http, signal)]]) };
  });
  const files = new Map<string, string>();
  for (const [path, content] of fetched.files)
    files.set(path, (await uploads.upload(caller, posix.basename(path), Readable.from([content]))).location);
  return { files, primary: fetched.primary };
}

function refuseHost(url: string, { policy }: HttpSettings): void {
  if (policy.refuseUrl(url) === undefined) return;
  const { host } = new URL(url);
  const hint = `attach the document, or start the server with --wes-hosts ${host}`;
  throw new FetchProblem(`documents may not come from ${host}`, { hint });
}

async function unlessRefused<Value>(address: string, fetch: () => Promise<Value>): Promise<Value> {
  try {
    return await fetch();
  } catch (error) {
    const problem =
      error instanceof DOMException ? new FetchProblem("it did not arrive in time") : toFetchProblem(error);
    if (!(problem instanceof FetchProblem)) throw error;
    const { message, hint } = problem;
    const detail = `${address.slice(0, 200)} cannot be fetched: ${message}`;
    const errors = [{ pointer: "/workflow_url", code: "not-fetched", detail, ...(hint === undefined ? {} : { hint }) }];
    throw new Refusal("invalid-body", detail, { errors });
  }
}
