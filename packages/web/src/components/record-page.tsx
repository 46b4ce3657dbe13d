import { ApiError } from "@weft/shared/routes/client.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PageLink } from "../format/nearest-pages.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { NotFoundCard } from "./not-found-card.tsx";

export interface RecordPageProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** "network", "run", "tool" */
  readonly noun: string;
  readonly name: string;
  readonly list: PageLink;
  readonly children: (data: Data) => ReactNode;
}

/** A page about one record; handles a missing record in the same way for all kinds. */
export function RecordPage<Data>({ query, noun, name, list, children }: RecordPageProps<Data>) {
  if (query.error instanceof ApiError && query.error.status === 404 && query.data === undefined) {
    const text = query.error.problem?.detail ?? `This server has no ${noun} named ${name}.`;
    return (
      <NotFoundCard
        title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${name} not found`}
        text={text}
        links={[list, { label: "Dashboard", to: "/" }]}
      />
    );
  }
  const isBroken = query.error !== null && query.data === undefined;
  return (
    <>
      {isBroken && <PageHeading title={name} documentTitle={name} crumbs={[list]} />}
      <QueryView query={query} rows={10}>
        {children}
      </QueryView>
    </>
  );
}
