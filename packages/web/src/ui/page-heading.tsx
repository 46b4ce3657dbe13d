import { useEffect, useRef, type ReactNode, type RefObject } from "react";
import { Link, useLocation } from "react-router-dom";
import type { PageLink } from "../format/nearest-pages.ts";

interface PageHeadingProps {
  readonly title: string;
  /** Title in the browser's title bar, before " - Weft". Default: the title of the page. */
  readonly documentTitle?: string;
  readonly crumbs?: readonly PageLink[];
  /** Badges next to the title. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  /** True for one line with the breadcrumb, for a sticky bar. */
  readonly compact?: boolean;
}

const NO_CRUMBS: readonly PageLink[] = [];

/** Path whose heading last had the focus; the first page keeps the browser's initial focus. */
let focusedPath: string | undefined;

/** The one h1 of a page. Takes the focus after navigation within the app, so that screen readers announce it. */
export function PageHeading({
  title,
  documentTitle = title,
  crumbs = NO_CRUMBS,
  aside,
  actions,
  compact = false,
}: PageHeadingProps) {
  const heading = useAnnouncedHeading(documentTitle);
  return (
    <div className={compact ? "flex items-center gap-2" : "mb-4"}>
      {crumbs.length > 0 && <Breadcrumb crumbs={crumbs} compact={compact} />}
      <div className={`flex min-w-0 items-center gap-x-3 ${compact ? "flex-1 max-md:gap-x-2" : "flex-wrap gap-y-2"}`}>
        <h1
          ref={heading}
          tabIndex={-1}
          className={compact ? "min-w-0 truncate text-lg max-md:text-base" : ""}
          title={compact ? title : undefined}
        >
          {title}
        </h1>
        {aside}
        {actions !== undefined && (
          <div className={`flex items-center gap-2 md:ml-auto ${compact ? "ml-auto shrink-0" : "flex-wrap"}`}>
            {actions}
          </div>
        )}
      </div>
    </div>
  );
}

/** The element that takes the focus on a new page. */
function useAnnouncedHeading(documentTitle: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const isFirstPage = focusedPath === undefined;
    if (focusedPath === pathname) return;
    focusedPath = pathname;
    if (isFirstPage) return;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
  useEffect(() => {
    document.title = `${documentTitle} - Weft`;
  }, [documentTitle]);
  return heading;
}

function Breadcrumb({ crumbs, compact }: { readonly crumbs: readonly PageLink[]; readonly compact: boolean }) {
  return (
    <nav aria-label="Breadcrumb" className={`text-small text-soft ${compact ? "" : "mb-1"}`}>
      <ol className="flex flex-wrap gap-1.5">
        {crumbs.map((crumb) => (
          <li key={crumb.to} className="flex gap-1.5">
            <Link to={crumb.to} className="hover:text-ink hover:underline">
              {crumb.label}
            </Link>
            {(compact || crumb !== crumbs.at(-1)) && <span aria-hidden="true">/</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
