import { Dialog } from "@base-ui/react/dialog";
import { DialogFrame, type DialogFrameProps } from "./modal.tsx";

export interface SidePanelProps extends Omit<DialogFrameProps, "className"> {
  readonly onClose: () => void;
}

/** A non-modal panel that slides over the right edge of the page. Escape closes it. */
export function SidePanel({ title, children, onClose }: SidePanelProps) {
  return (
    <Dialog.Root open modal={false} disablePointerDismissal onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <DialogFrame
          title={title}
          className="fixed top-13 right-0 bottom-0 z-30 w-[min(40rem,100vw)] border-l border-line bg-surface shadow-2xl outline-none"
        >
          {children}
        </DialogFrame>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
