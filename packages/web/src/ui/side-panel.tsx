import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export interface SidePanelProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Details that slide over the right edge of the page; the page behind stays in use. Escape closes it. */
export function SidePanel({ title, children, onClose }: SidePanelProps) {
  return (
    <Dialog.Root open modal={false} disablePointerDismissal onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup className="fixed top-13 right-0 bottom-0 z-30 flex w-[min(40rem,100vw)] flex-col border-l border-line bg-surface shadow-2xl outline-none">
          <div className="flex items-center gap-3 border-b border-line px-4 py-2.5">
            <Dialog.Title render={<h2 />} className="min-w-0 flex-1 wrap-anywhere">
              {title}
            </Dialog.Title>
            <Dialog.Close className="btn btn-quiet btn-small" aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
