import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ApiError } from "@weft/shared/routes/client.ts";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { sessionQuery } from "../api/session-query.ts";
import type { PageLink } from "../format/nearest-pages.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

interface RecordPageProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** "network", "run", "tool" */
  readonly noun: string;
  readonly name: string;
  readonly list: PageLink;
  readonly children: (data: Data) => ReactNode;
}

/**
 * A page about one record; handles a missing record in the same way for all kinds. It waits for the session, on which
 * the actions depend, so that no late action moves the page.
 */
export function RecordPage<Data>({ query, noun, name, list, children }: RecordPageProps<Data>) {
  const session = useQuery(sessionQuery());
  // Read in each render, also while the session is pending: React Query reports changes only of fields that were read.
  const { data, error } = query;
  if (error instanceof ApiError && error.status === 404 && data === undefined) {
    const text = error.problem?.detail ?? `This server has no ${noun} named ${name}.`;
    return (
      <NotFoundCard
        title={`There is no ${noun} "${name}"`}
        text={text}
        links={[list, { label: "Dashboard", to: "/" }]}
      />
    );
  }
  const isBroken = error !== null && data === undefined;
  return (
    <>
      {isBroken && <PageHeading title={name} crumbs={[list]} />}
      {session.isPending && !isBroken ? (
        <Skeleton rows={10} />
      ) : (
        <QueryView query={query} rows={10}>
          {children}
        </QueryView>
      )}
    </>
  );
}

interface NotFoundCardProps {
  readonly title: string;
  readonly text: string;
  readonly links: readonly PageLink[];
}

/** Says that a record was not found, and links to other pages. */
export function NotFoundCard({ title, text, links }: NotFoundCardProps) {
  return (
    <div className="mx-auto max-w-xl py-10">
      <PageHeading title={title} />
      <p className="wrap-anywhere">{text}</p>
      <p className="mt-4 text-soft">Were you looking for…</p>
      <ul className="mt-1 flex flex-wrap gap-2">
        {links.map((link) => (
          <li key={link.to}>
            <Link className="btn" to={link.to}>
              {link.label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
