import { useEffect } from "react";
import { Link, useLocation } from "react-router-dom";
import { SearchBox } from "../../ui/search-box.tsx";
import { MarkdownView } from "../../components/markdown/markdown-view.tsx";
import type { Topic } from "./search-topics.ts";
import { findInGuide, TOPICS } from "./topics.ts";

export interface GuidePageProps {
  readonly topic: Topic;
  /** Words to search for; "" shows the topic. */
  readonly q: string;
}

/** The guide: its contents and search at the left, a chapter or what was found at the right. */
export function GuidePage({ topic, q }: GuidePageProps) {
  const current = q === "" ? topic.id : "";
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <div className="space-y-3 lg:sticky lg:top-18">
        <SearchBox label="Search the guide" />
        <div className="card p-2 max-lg:hidden">
          <Contents current={current} />
        </div>
        <details key={current} className="card px-4 py-2.5 lg:hidden">
          <summary className="cursor-pointer font-medium">Contents</summary>
          <div className="-mx-2 mt-2">
            <Contents current={current} />
          </div>
        </details>
      </div>
      {q === "" ? <Chapter key={topic.id} topic={topic} /> : <Hits q={q} />}
    </div>
  );
}

/** All chapters; where there is no room beside the text they are folded, and folded again when one is chosen. */
function Contents({ current }: { readonly current: string }) {
  return (
    <nav aria-label="Contents">
      <ul>
        {TOPICS.map((entry) => (
          <li key={entry.id}>
            <Link
              to={`?topic=${entry.id}`}
              aria-current={entry.id === current ? "page" : undefined}
              className="flex min-h-8 items-center rounded-md px-2 hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:font-semibold aria-[current]:text-accent max-md:min-h-11"
            >
              {entry.title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Chapter({ topic }: { readonly topic: Topic }) {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== "") document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  return (
    <article className="card min-w-0 px-5 py-4 md:px-8 md:py-6">
      <MarkdownView blocks={topic.blocks} />
    </article>
  );
}

function Hits({ q }: { readonly q: string }) {
  const hits = findInGuide(q);
  return (
    <section aria-labelledby="hits-title" className="min-w-0">
      <h2 id="hits-title" className="mb-2">
        {hits.length === 0
          ? `Nothing in the guide holds “${q}”`
          : `${hits.length} ${hits.length === 1 ? "section" : "sections"} with “${q}”`}
      </h2>
      <ul className="space-y-2">
        {hits.map((hit) => (
          <li key={`${hit.topic}#${hit.anchor}`} className="card p-3">
            <Link className="link font-medium" to={`?topic=${hit.topic}${hit.anchor === "" ? "" : `#${hit.anchor}`}`}>
              {hit.heading}
            </Link>
            <span className="ml-2 text-soft">{hit.topicTitle}</span>
            <p className="text-soft">{hit.excerpt}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
