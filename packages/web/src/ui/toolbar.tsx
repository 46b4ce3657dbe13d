import type { ReactNode } from "react";

interface ToolbarProps {
  /** The filters and choices of the view below. */
  readonly children: ReactNode;
  /** How much of it is shown; screen readers announce a change. */
  readonly status?: ReactNode;
  /** Actions with all of it, at the end of the line. */
  readonly actions?: ReactNode;
  readonly className?: string;
}

/** The line above a list, a table or a form. */
export function Toolbar({ children, status, actions, className = "" }: ToolbarProps) {
  return (
    <div className={`flex flex-wrap items-center gap-2 ${className}`.trimEnd()}>
      {children}
      {status !== undefined && (
        <span role="status" className="text-soft tabular-nums">
          {status}
        </span>
      )}
      {actions !== undefined && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}
