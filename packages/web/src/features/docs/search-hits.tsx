import { sectionParts } from "virtual:docs";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Link } from "react-router-dom";
import { QueryView } from "../../ui/query-view.tsx";
import { indexSections, type SectionFinder } from "./find-sections.ts";
import { numberText } from "../../format/count-text.ts";

/**
 * Sections of the documentation that match `q`, best first. The index is made in the browser when the first search needs it:
 * first of the guide, then also of the pages about the development of Weft.
 */
export function SearchHits({ q }: { readonly q: string }) {
  const guide = useQuery(sectionsQuery("guide"));
  const all = useQuery({ ...sectionsQuery("all"), enabled: guide.data !== undefined });
  return <QueryView query={all.data === undefined ? guide : all}>{(find) => <Hits q={q} find={find} />}</QueryView>;
}

function sectionsQuery(scope: "guide" | "all") {
  return queryOptions({
    queryKey: ["doc-sections", scope],
    queryFn: async () => {
      const parts = sectionParts.filter(({ isGuide }) => isGuide || scope === "all");
      const loaded = await Promise.all(parts.map(({ load }) => load()));
      return indexSections(loaded.flatMap((part) => part.default));
    },
    staleTime: Infinity,
    structuralSharing: false,
  });
}

function Hits({ q, find }: { readonly q: string; readonly find: SectionFinder }) {
  const { hits, total } = find(q);
  return (
    <section aria-labelledby="hits-title" className="min-w-0">
      <div role="status">
        <h2 id="hits-title" className="mb-2">
          {countText(total, hits.length, q)}
        </h2>
      </div>
      <ul className="space-y-2">
        {hits.map((hit) => (
          <li key={`${hit.page}#${hit.anchor}`} className="card p-3">
            <Link className="link font-medium" to={`/doc/${hit.page}${hit.anchor === "" ? "" : `#${hit.anchor}`}`}>
              {hit.heading}
            </Link>
            {hit.anchor !== "" && <span className="ml-2 text-soft">{hit.pageTitle}</span>}
            <p className="wrap-anywhere text-soft">
              {hit.excerpt.map(({ text, isMatch }, place) =>
                isMatch ? <mark key={place}>{text}</mark> : <Fragment key={place}>{text}</Fragment>,
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function countText(total: number, shown: number, q: string): string {
  if (total === 0) return `No results for “${q}”`;
  if (total > shown) return `The best ${shown} of ${numberText(total)} results for “${q}”`;
  return `${total} ${total === 1 ? "result" : "results"} for “${q}”`;
}
