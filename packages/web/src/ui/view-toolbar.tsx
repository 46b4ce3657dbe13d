import type { IconName } from "./icon.tsx";
import { IconButton } from "./button.tsx";

export interface ViewTool {
  readonly label: string;
  readonly icon: IconName;
  readonly act: () => void;
  /** State of a toggle button. */
  readonly pressed?: boolean;
}

interface ViewToolbarProps {
  readonly tools: readonly ViewTool[];
  /** Below a drawing that fills its corners. */
  readonly isBelow?: boolean;
}

/** Buttons of a drawing, such as zoom: over its lower right corner, or below it. */
export function ViewToolbar({ tools, isBelow = false }: ViewToolbarProps) {
  return (
    <div
      role="group"
      aria-label="View"
      className={`flex overflow-hidden ${isBelow ? "justify-end border-t border-line" : "absolute right-2.5 bottom-2.5 flex-col rounded-lg border border-line bg-surface shadow-sm max-md:flex-row"}`}
    >
      {tools.map(({ label, icon, act, pressed }) => (
        <IconButton
          label={label}
          icon={icon}
          look="bare"
          key={label}
          aria-pressed={pressed}
          title={label}
          className="flex size-8 items-center justify-center -outline-offset-2 hover:bg-sunken aria-pressed:text-accent max-md:size-11"
          onClick={act}
        />
      ))}
    </div>
  );
}
