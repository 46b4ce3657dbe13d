import { Icon } from "../ui/icon.tsx";

export type Validity = "valid" | "warnings" | "invalid";

const LOOKS = {
  valid: { word: "Valid", icon: "check", className: "text-success bg-success-soft" },
  warnings: { word: "Warnings", icon: "warning", className: "text-canceled bg-canceled-soft" },
  invalid: { word: "Errors", icon: "error", className: "text-failed bg-failed-soft" },
} as const satisfies Record<Validity, { word: string; icon: string; className: string }>;

/** Whether the CWL document of a network or tool is valid. */
export function ValidityBadge({ status }: { readonly status: Validity }) {
  const look = LOOKS[status];
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-[0.8125rem] font-semibold whitespace-nowrap ${look.className}`}
    >
      <Icon name={look.icon} className="size-3.5" /> {look.word}
    </span>
  );
}
