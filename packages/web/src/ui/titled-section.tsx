import { type ReactNode, useId } from "react";

interface TitledSectionProps {
  readonly title: ReactNode;
  /** Content on the right of the title. */
  readonly aside?: ReactNode;
  /** Renders the section as a card. */
  readonly card?: boolean;
  readonly tone?: "warning" | "failed";
  readonly children: ReactNode;
}

const PLAIN = { frame: "", color: "" };
const TONES = {
  warning: { frame: "border-canceled/50", color: "text-canceled" },
  failed: { frame: "border-failed/50", color: "text-failed" },
};

/** A section with a heading that is also its accessible name. */
export function TitledSection({ title, aside, card = false, tone, children }: TitledSectionProps) {
  const id = useId();
  const { frame, color } = tone === undefined ? PLAIN : TONES[tone];
  return (
    <section aria-labelledby={id} className={`min-w-0 ${card ? "card p-4" : ""} ${frame}`}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 id={id} className={color}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: ReactNode];

/** A list of names and values, without those that are false. */
export function Facts({ facts }: { readonly facts: readonly (Fact | false)[] }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
