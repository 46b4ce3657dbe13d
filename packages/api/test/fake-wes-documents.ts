import type { ArrivedDocument, Caller, EngineWesDocuments } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { WesDocument, WesDocumentDetail } from "@weft/shared/records/wes-document-record.ts";

export const WES_DOCUMENT = `sha256:${"5e".repeat(32)}`;

/** One document that anyone has sent. */
export class FakeWesDocuments implements EngineWesDocuments {
  isOn = true;
  readonly added: ArrivedDocument[] = [];
  #isApproved = false;

  async add(_caller: Caller, document: ArrivedDocument): ReturnType<EngineWesDocuments["add"]> {
    this.added.push(document);
    return { digest: WES_DOCUMENT, isNew: this.added.length === 1 };
  }

  async fetch(): ReturnType<EngineWesDocuments["fetch"]> {
    return undefined;
  }

  list(caller: Caller): ReturnType<EngineWesDocuments["list"]> {
    return { documents: [this.#record(caller)], total: 1, next_page_token: "" };
  }

  async get(caller: Caller, digest: string): Promise<WesDocumentDetail> {
    requireKnown(digest);
    return {
      ...this.#record(caller),
      inputs: [],
      graph: { nodes: [], edges: [] },
      source_files: [{ file: "main.cwl", bytes: 16, sha256: "5e".repeat(32), text: "cwlVersion: v1.2" }],
    };
  }

  async setApproval(caller: Caller, digest: string, isApproved: boolean): Promise<WesDocument> {
    requireKnown(digest);
    this.#isApproved = isApproved;
    return this.#record(caller);
  }

  #record({ links }: Caller): WesDocument {
    return {
      ...{
        digest: WES_DOCUMENT,
        url: links.wesDocument(WES_DOCUMENT),
        kind: "tool",
        name: "main",
        primary: "main.cwl",
      },
      ...{ source: "main.cwl", files: 1, bytes: 16, added_by: "ann", added_at: "2026-11-21T02:02:14.617Z", runs: 0 },
      approved_by: this.#isApproved ? "ann" : null,
      approved_at: this.#isApproved ? "2026-11-21T02:02:14.617Z" : null,
    };
  }
}

function requireKnown(digest: string): void {
  if (digest !== WES_DOCUMENT) throw new Refusal("document-not-found", `There is no WES document ${digest}`);
}
