import type { ReactNode } from "react";

/** Explains an empty list and offers the next action. */
export function EmptyState({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="card flex flex-col items-center gap-3 px-4 py-10 text-center">
      <svg
        viewBox="0 0 48 32"
        className="h-8 w-12 text-edge"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M4 8h40M4 16h40M4 24h40" opacity="0.4" />
        <path d="M12 4v24M24 4v24M36 4v24" strokeDasharray="6 4" />
      </svg>
      <p className="max-w-prose text-soft">{text}</p>
      {children}
    </div>
  );
}
