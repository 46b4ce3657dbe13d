import { useQuery } from "@tanstack/react-query";
import type { CatalogDocument, DocumentList, Draft } from "@weft/shared/records/draft-record.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { documentQuery } from "../../api/draft-queries.ts";
import { LineDiff } from "../../components/line-diff.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";

interface ChangesTabProps {
  readonly draft: Draft;
  readonly documents: DocumentList;
  readonly text: string;
}

/** Compares a draft with any version of its tool or network; with the one that it is based on at first. `?with=` */
export function ChangesTab({ draft, documents, text }: ChangesTabProps) {
  const [asked, setAsked] = useSearchParam("with");
  const versions = documents.documents.filter(({ kind, id }) => kind === draft.kind && id === draft.id);
  const chosen = versions.find((one) => nameOf(one) === (asked || draft.based_on)) ?? versions[0];
  if (chosen === undefined)
    return <EmptyState text="Nothing is published under this ID yet, so there is nothing to compare with." />;
  return (
    <div className="space-y-3">
      <label className="flex items-center gap-2">
        <span className="text-soft">Compare with</span>
        <select className="input w-auto" value={nameOf(chosen)} onChange={(event) => setAsked(event.target.value)}>
          {versions.map((one) => (
            <option key={nameOf(one)} value={nameOf(one)}>
              {nameOf(one)}
              {nameOf(one) === draft.based_on ? " (the draft is based on it)" : ""}
            </option>
          ))}
        </select>
      </label>
      <Difference document={chosen} text={text} />
    </div>
  );
}

function nameOf({ version }: CatalogDocument): string {
  return version ?? UNVERSIONED;
}

function Difference({ document, text }: { readonly document: CatalogDocument; readonly text: string }) {
  const query = useQuery(documentQuery(document.path));
  return (
    <QueryView query={query}>
      {(before) => <LineDiff label={`Changes since ${nameOf(document)}`} before={before ?? ""} after={text} />}
    </QueryView>
  );
}
