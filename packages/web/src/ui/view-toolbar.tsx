import { Icon, type IconName } from "./icon.tsx";

export interface ViewTool {
  readonly label: string;
  readonly icon: IconName;
  readonly act: () => void;
  /** Of a tool that stays on until it is pressed again. */
  readonly pressed?: boolean;
}

/** The buttons that lie over a drawing: zoom and the like. */
export function ViewToolbar({ tools }: { readonly tools: readonly ViewTool[] }) {
  return (
    <div
      role="group"
      aria-label="View"
      className="absolute right-2.5 bottom-2.5 flex flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-sm"
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
