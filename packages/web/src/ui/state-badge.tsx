import type { RunState } from "@weft/shared/records/state.ts";
import type { ComponentProps, ReactNode } from "react";
import { STATE_LOOKS, type StateIconName, type StateTone } from "../format/state-look.ts";

/** The colors of a tone: of its text, of a soft ground below it, and of areas. */
export const TONES: Readonly<Record<StateTone, Readonly<Record<"text" | "soft" | "fill", string>>>> = {
  queued: { text: "text-queued", soft: "bg-queued-soft", fill: "bg-queued/35" },
  running: { text: "text-running", soft: "bg-running-soft", fill: "bg-running" },
  paused: { text: "text-paused", soft: "bg-paused-soft", fill: "bg-paused" },
  success: { text: "text-success", soft: "bg-success-soft", fill: "bg-success" },
  failed: { text: "text-failed", soft: "bg-failed-soft", fill: "bg-failed" },
  canceled: { text: "text-canceled", soft: "bg-canceled-soft", fill: "bg-canceled" },
  preempted: { text: "text-preempted", soft: "bg-preempted-soft", fill: "bg-preempted" },
};

const SIGNS: Readonly<Record<StateIconName, ReactNode>> = {
  circle: <circle cx="8" cy="8" r="5.2" />,
  dots: <circle cx="8" cy="8" r="5.2" strokeDasharray="2.2 2.2" />,
  half: (
    <>
      <circle cx="8" cy="8" r="5.2" opacity="0.35" />
      <path d="M8 2.8A5.2 5.2 0 0 1 13.2 8" />
    </>
  ),
  bars: <path d="M6 4v8M10 4v8" />,
  check: <path d="m3.5 8.4 3 3 6-6.8" />,
  cross: <path d="m4.3 4.3 7.4 7.4M11.7 4.3l-7.4 7.4" />,
  triangle: <path d="M8 2.6 14 13H2zM8 6.8v2.7M8 11.3v.01" />,
  slash: <path d="M8 13.2A5.2 5.2 0 1 0 8 2.8a5.2 5.2 0 0 0 0 10.4ZM4.4 4.4l7.2 7.2" />,
  down: <path d="M8 3v9m-3.6-3.6L8 12l3.6-3.6" />,
};

interface StateIconProps {
  readonly state: RunState;
  readonly className?: string;
  /** True for no animation, because no job is currently in this state. */
  readonly still?: boolean;
}

/** Only the icon of a state; its name must be next to it. */
export function StateIcon({ state, className = "size-4", still = false }: StateIconProps) {
  const look = STATE_LOOKS[state];
  const motion = look.icon === "half" && !still ? "spin" : "";
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`${className} ${motion} shrink-0`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {SIGNS[look.icon]}
    </svg>
  );
}

/** A word on a soft ground of its color; its children may begin with an icon. */
export function Pill({ tone, className = "", ...props }: ComponentProps<"span"> & { readonly tone: StateTone }) {
  const shape = "inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-small font-semibold";
  return <span className={`${shape} ${TONES[tone].text} ${TONES[tone].soft} ${className}`.trimEnd()} {...props} />;
}

interface StateBadgeProps {
  readonly state: RunState;
  readonly note?: string;
  /** On a phone shows only the icon; the word is elsewhere on the page. */
  readonly isShort?: boolean;
}

/** Icon, word and color of a state. */
export function StateBadge({ state, note, isShort = false }: StateBadgeProps) {
  const look = STATE_LOOKS[state];
  return (
    <Pill
      tone={look.tone}
      className={`whitespace-nowrap ${isShort ? "max-md:px-1 max-md:py-1" : ""}`}
      data-state={state}
    >
      <StateIcon state={state} className="size-3.5" />
      <span className={isShort ? "max-md:sr-only" : ""}>{look.word}</span>
      {note !== undefined && <span className="font-normal">{note}</span>}
    </Pill>
  );
}
