import { Link, Navigate, useLocation, useParams, useSearchParams } from "react-router-dom";
import { contents, pages, sectionParts } from "virtual:docs";
import { NotFoundCard } from "../components/record-page.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Fragment, useEffect, useMemo } from "react";
import type { DocContent } from "../../docs/doc-types.ts";
import { MarkdownView } from "../components/markdown/markdown-view.tsx";
import { headingsOf, type MarkdownNode, parseMarkdown } from "../components/markdown/parse-markdown.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { QueryView } from "../ui/query-view.tsx";
import { SearchBox } from "../ui/search-field.tsx";
import { NameLink, TextLink } from "../ui/text-link.tsx";
import { indexSections, type SectionFinder } from "../features/docs/find-sections.ts";

/** `/doc/<path of the page>?q=` */
export default function DocRoute() {
  const path = (useParams()["*"] ?? "").replace(/\/$/, "");
  const [params] = useSearchParams();
  const { hash } = useLocation();
  const moved = CHAPTERS[params.get("topic") ?? ""];
  if (moved !== undefined) return <Navigate to={`/doc/${moved}${hash.toLowerCase()}`} replace />;
  const page = pages[path];
  if (page === undefined)
    return (
      <NotFoundCard
        title="No such page"
        text={`The documentation has no page ${path}.`}
        links={[{ label: "Documentation", to: "/doc" }]}
      />
    );
  const q = params.get("q") ?? "";
  const title = q === "" ? page.title : "Search in the documentation";
  const crumbs = path === "" ? [] : [{ label: "Docs", to: "/doc" }];
  return (
    <>
      <PageHeading title={title} documentTitle={`${title} - Docs`} crumbs={crumbs} />
      <DocPage path={path} load={page.load} q={q} />
    </>
  );
}

/** Addresses of the first guide, whose chapters were `?topic=`. */
const CHAPTERS: Readonly<Record<string, string>> = {
  "getting-started": "tutorials/first-run",
  "running-a-network": "how-to/run-a-network",
  "inputs-and-files": "how-to/choose-inputs",
  "watching-and-aborting": "how-to/watch-a-run",
  "outputs-and-provenance": "how-to/use-results",
  "states-and-reasons": "reference/states",
  "rest-api": "how-to/use-the-api",
  "writing-a-catalog": "how-to/write-a-catalog",
  "running-a-server": "how-to/operate-a-server",
  problems: "reference/problems",
};

interface DocPageProps {
  /** Below `/doc`; "" for the first page. */
  readonly path: string;
  readonly load: () => Promise<{ readonly default: DocContent }>;
  /** Words to search for; "" shows the page. */
  readonly q: string;
}

/** A page of the documentation, next to the contents of all of it and a search in all of it. */
function DocPage({ path, load, q }: DocPageProps) {
  const query = useQuery({ queryKey: ["doc", path], queryFn: load, staleTime: Infinity });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="space-y-3 lg:sticky lg:top-18">
        <SearchBox label="Search the docs" />
        <div className="card max-h-[calc(100vh-9rem)] overflow-y-auto p-2 max-lg:hidden">
          <Contents current={path} />
        </div>
        <details key={path} className="card px-4 py-2.5 lg:hidden">
          <summary className="cursor-pointer font-medium">Contents</summary>
          <div className="-mx-2 mt-2">
            <Contents current={path} />
          </div>
        </details>
      </div>
      {q === "" ? (
        <QueryView query={query}>{(page) => <Article key={path} path={path} content={page.default} />}</QueryView>
      ) : (
        <SearchHits q={q} />
      )}
    </div>
  );
}

/** All pages by purpose. Without room next to the text, the list is folded, and folds again when a page is chosen. */
function Contents({ current }: { readonly current: string }) {
  return (
    <nav aria-label="Contents" className="space-y-3">
      {contents.map((section) => (
        <div key={section.title}>
          <p className="px-2 text-small font-semibold text-soft">{section.title}</p>
          <ul>
            {section.pages.map(({ path, title }) => (
              <li key={path}>
                <Link
                  to={`/doc/${path}`}
                  aria-current={path === current ? "page" : undefined}
                  className="flex min-h-8 items-center rounded-md px-2 py-1 leading-snug hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:font-semibold aria-[current]:text-accent max-md:min-h-11"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Article({ path, content }: { readonly path: string; readonly content: DocContent }) {
  const { hash } = useLocation();
  const nodes = useMemo(() => parseMarkdown(content.markdown).slice(1), [content]);
  useEffect(() => {
    if (hash !== "") document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  return (
    <div className="grid min-w-0 items-start gap-6 xl:grid-cols-[minmax(0,50rem)_13rem]">
      <article className="card min-w-0 px-5 py-4 md:px-8 md:py-6">
        <details className="mb-4 xl:hidden">
          <summary className="cursor-pointer font-medium text-soft">On this page</summary>
          <Headings nodes={nodes} />
        </details>
        <MarkdownView nodes={nodes} addresses={content} />
        <Neighbors path={path} />
      </article>
      <div className="text-small max-xl:hidden xl:sticky xl:top-18">
        <p className="font-semibold text-soft">On this page</p>
        <Headings nodes={nodes} />
      </div>
    </div>
  );
}

function Headings({ nodes }: { readonly nodes: readonly MarkdownNode[] }) {
  const headings = headingsOf(nodes).filter(({ level }) => level <= 3);
  return (
    <nav aria-label="On this page">
      <ul className="mt-1 max-h-[calc(100vh-9rem)] space-y-0.5 overflow-y-auto">
        {headings.map(({ level, id, text }) => (
          <li key={id} className={level === 3 ? "pl-3" : ""}>
            <a href={`#${id}`} className="block py-0.5 wrap-anywhere text-soft hover:text-ink hover:underline">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The pages before and after this one in the contents. */
function Neighbors({ path }: { readonly path: string }) {
  const inOrder = contents.flatMap(({ pages }) => pages);
  const index = inOrder.findIndex((page) => page.path === path);
  if (index < 0) return null;
  const [previous, next] = [inOrder[index - 1], inOrder[index + 1]];
  return (
    <nav
      aria-label="Next and previous page"
      className="mt-8 flex flex-wrap justify-between gap-3 border-t border-line pt-4"
    >
      {previous === undefined ? (
        <span />
      ) : (
        <TextLink to={`/doc/${previous.path}`} rel="prev">
          ← {previous.title}
        </TextLink>
      )}
      {next !== undefined && (
        <TextLink to={`/doc/${next.path}`} rel="next">
          {next.title} →
        </TextLink>
      )}
    </nav>
  );
}

/**
 * Sections of the documentation that match `q`, best first. The browser builds the index when the first search needs it:
 * first for the guide, then also for the pages about developing Weft.
 */
function SearchHits({ q }: { readonly q: string }) {
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
          {resultsText(total, hits.length, q)}
        </h2>
      </div>
      <ul className="space-y-2">
        {hits.map((hit) => (
          <li key={`${hit.page}#${hit.anchor}`} className="card p-3">
            <NameLink to={`/doc/${hit.page}${hit.anchor === "" ? "" : `#${hit.anchor}`}`}>{hit.heading}</NameLink>
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

function resultsText(total: number, shown: number, q: string): string {
  if (total === 0) return `No results for "${q}"`;
  if (total > shown) return `The best ${shown} of ${numberText(total)} results for "${q}"`;
  return `${countText(total, "result")} for "${q}"`;
}
