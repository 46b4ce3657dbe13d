import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";

export interface Crumb {
  readonly label: string;
  readonly to: string;
}

export interface PageHeadingProps {
  readonly title: ReactNode;
  /** What stands in the browser's title bar, before " - Weft". */
  readonly documentTitle: string;
  readonly crumbs?: readonly Crumb[];
  /** Beside the title: badges. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  /** On one line with its breadcrumb, for a bar that stays in sight. */
  readonly compact?: boolean;
}

const NO_CRUMBS: readonly Crumb[] = [];

/** Path whose heading has had the focus last; the page that was loaded first keeps the browser's own start. */
let focusedPath: string | undefined;

/** The one h1 of a page. After a navigation within the app it takes the focus, so that it is read out. */
export function PageHeading({
  title,
  documentTitle,
  crumbs = NO_CRUMBS,
  aside,
  actions,
  compact = false,
}: PageHeadingProps) {
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
  return (
    <div className={compact ? "md:flex md:items-center md:gap-2" : "mb-4"}>
      {crumbs.length > 0 && <Breadcrumb crumbs={crumbs} />}
      <div className={`flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 ${compact ? "flex-1 md:flex-nowrap" : ""}`}>
        <h1 ref={heading} tabIndex={-1} className={compact ? "md:truncate md:text-lg" : ""}>
          {title}
        </h1>
        {aside}
        {actions !== undefined && (
          <div className={`flex flex-wrap items-center gap-2 md:ml-auto ${compact ? "md:flex-nowrap" : ""}`}>
            {actions}
          </div>
        )}
      </div>
    </div>
  );
}

function Breadcrumb({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="mb-1 text-[0.8125rem] text-soft">
      <ol className="flex flex-wrap gap-1.5">
        {crumbs.map((crumb) => (
          <li key={crumb.to} className="flex gap-1.5">
            <Link to={crumb.to} className="hover:text-ink hover:underline">
              {crumb.label}
            </Link>
            <span aria-hidden="true">/</span>
          </li>
        ))}
      </ol>
    </nav>
  );
}
