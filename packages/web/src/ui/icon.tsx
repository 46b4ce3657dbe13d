import type { ReactNode } from "react";

const PATHS = {
  play: <path d="M5 3.5v9l7.5-4.5z" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth="2.4" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1" />,
  plus: <path d="M8 3.5v9M3.5 8h9" />,
  minus: <path d="M3.5 8h9" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  copy: <path d="M5.5 5.5v-2h7v7h-2M3.5 5.5h7v7h-7z" />,
  check: <path d="m3.5 8.5 3 3 6-7" />,
  up: <path d="M8 12.5v-9m-3.5 3.5L8 3.5 11.5 7" />,
  down: <path d="M8 3.5v9m-3.5-3.5L8 12.5 11.5 9" />,
  chevronLeft: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  chevronRight: <path d="m6 3.5 4.5 4.5L6 12.5" />,
  chevronDown: <path d="M3.5 6 8 10.5 12.5 6" />,
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.4" />,
  search: <path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2" />,
  upload: <path d="M8 10.5v-7m-3 3 3-3 3 3M3 10.5v2h10v-2" />,
  download: <path d="M8 3v7.5m-3-3 3 3 3-3M3 12.5h10" />,
  folder: <path d="M2.5 4.5v8h11v-6.5h-5.5L6.5 4.5z" />,
  file: <path d="M4 2.5h5l3 3v8H4zM9 2.5v3h3" />,
  clock: <path d="M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 5v3l2.2 1.4" />,
  stepBack: <path d="M4 4v8M12 4 6.5 8l5.5 4z" />,
  stepForward: <path d="M12 4v8M4 4l5.5 4L4 12z" />,
  map: <path d="M2.5 3.5h11v9h-11zM8 8h3.5v2.5H8z" />,
  fit: <path d="M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3" />,
  sun: (
    <path d="M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1" />
  ),
  moon: <path d="M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6Z" />,
  screen: <path d="M2.5 3.5h11v7.5h-11zM6 13.5h4" />,
  again: <path d="M12.8 6.5A5 5 0 1 0 13 8.6M13 3v3.5H9.5" />,
  undo: <path d="M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6" />,
  redo: <path d="m10.5 3 3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h4" />,
  retry: <path d="M3.2 6.5A5 5 0 1 1 3 8.6M3 3v3.5h3.5" />,
  warning: <path d="M8 2.6 14 13H2zM8 6.8v2.7M8 11.3v.01" />,
  error: <path d="M8 13.2A5.2 5.2 0 1 0 8 2.8a5.2 5.2 0 0 0 0 10.4ZM8 5.3v3.2M8 10.6v.01" />,
  cached: <path d="M3.2 6.5A5 5 0 1 1 3 8.6M3 3v3.5h3.5M8 5.5V8l1.7 1.2" />,
  filter: <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />,
  edit: <path d="M3 13h2.5l7-7L10 3.5l-7 7zM8.5 5 11 7.5" />,
  external: <path d="M6.5 3.5h-3v9h9v-3M9 3.5h3.5V7M12.3 3.7 7.5 8.5" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof PATHS;

/** A decorative icon; the text next to it (or an aria-label) conveys the meaning. */
export function Icon({ name, className = "size-4" }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`${className} shrink-0`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {PATHS[name]}
    </svg>
  );
}
