import { Icon, type IconName } from "./icon.tsx";

export interface ViewTool {
  readonly label: string;
  readonly icon: IconName;
  readonly act: () => void;
  /** State of a toggle button. */
  readonly pressed?: boolean;
}

export interface ViewToolbarProps {
  readonly tools: readonly ViewTool[];
  /** The emptier corner on the right. */
  readonly corner?: "top" | "bottom";
}

/** Buttons over a drawing, such as zoom. */
export function ViewToolbar({ tools, corner = "bottom" }: ViewToolbarProps) {
  return (
    <div
      role="group"
      aria-label="View"
      className={`absolute right-2.5 flex flex-col overflow-hidden max-md:flex-row rounded-lg border border-line bg-surface shadow-sm ${corner === "top" ? "top-9" : "bottom-2.5"}`}
    >
      {tools.map(({ label, icon, act, pressed }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          aria-pressed={pressed}
          title={label}
          className="flex size-8 items-center justify-center -outline-offset-2 hover:bg-sunken aria-pressed:text-accent max-md:size-11"
          onClick={act}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
