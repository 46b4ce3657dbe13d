import { Link } from "react-router-dom";
import type { PageLink } from "../format/nearest-pages.ts";
import { PageHeading } from "../ui/page-heading.tsx";

export interface NotFoundCardProps {
  readonly title: string;
  readonly text: string;
  readonly links: readonly PageLink[];
}

/** Says what was not found and where to look instead. */
export function NotFoundCard({ title, text, links }: NotFoundCardProps) {
  return (
    <div className="mx-auto max-w-xl py-10">
      <PageHeading title={title} documentTitle={title} />
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
