import { useQuery } from "@tanstack/react-query";
import type { InputRecord, OutputRecord } from "@weft/shared/records/process-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isWesDocument } from "@weft/shared/records/wes-document-id.ts";
import { networkQuery, toolQuery } from "../../api/catalog-queries.ts";
import { routeQuery } from "../../api/route-query.ts";

interface DeclaredProcess {
  readonly isPending: boolean;
  readonly inputs: readonly InputRecord[];
  readonly outputs: readonly OutputRecord[];
  /** True if the catalog has a different version of the document, or none. */
  readonly isOther: boolean;
}

/** The declarations of a run's document, if the server still has it. `isAsked`: true to request it from the server. */
export function useDeclaredProcess({ network, tool }: Run, isAsked = true): DeclaredProcess {
  const { id = "" } = network ?? tool ?? {};
  const isArrived = isWesDocument(id);
  const ofNetwork = useQuery({
    ...networkQuery(id, network?.version ?? undefined),
    enabled: isAsked && network !== undefined && !isArrived,
  });
  const ofTool = useQuery({
    ...toolQuery(id, tool?.version ?? undefined),
    enabled: isAsked && tool !== undefined && !isArrived,
  });
  const arrived = useQuery({
    ...routeQuery("GET /api/wes-documents/{digest}", { params: { digest: id } }),
    enabled: isAsked && isArrived,
  });
  const { data, isPending } = isArrived ? arrived : network === undefined ? ofTool : ofNetwork;
  const isOther = data?.digest !== (network ?? tool)?.digest;
  // The record of a document that came with a WES request has no outputs.
  const outputs = data !== undefined && "outputs" in data ? data.outputs : [];
  return { isPending, inputs: data?.inputs ?? [], outputs, isOther };
}
