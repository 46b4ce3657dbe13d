import { Dialog } from "@base-ui/react/dialog";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Icon } from "./icon.tsx";
import { onDemand } from "./on-demand.tsx";

const ConfirmDialog = onDemand(() => import("./confirm-dialog.tsx"));

type PopupProps = Pick<ComponentProps<typeof Dialog.Popup>, "finalFocus" | "onKeyDown">;

interface ModalProps extends PopupProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** True if closing the dialog would lose typed text, so the user is asked first. */
  readonly isForm?: boolean;
  /** True while a request is pending, whose refusal would appear in the dialog: it cannot be closed. */
  readonly isBusy?: boolean;
  /** Fills the window. */
  readonly isLarge?: boolean;
  /** Buttons next to the title. */
  readonly actions?: ReactNode;
}

const LARGE = "inset-2 md:inset-6";
const MIDDLE = "top-1/2 left-1/2 max-h-[85vh] w-[min(46rem,calc(100vw-1.5rem))] -translate-x-1/2 -translate-y-1/2";

/** A dialog over the page. */
export function Modal({ children, onClose, isForm = false, isBusy = false, isLarge = false, ...frame }: ModalProps) {
  const [isEdited, setEdited] = useState(false);
  const [asking, setAsking] = useState(false);
  const close = (): void => {
    if (isBusy) return;
    if (isForm && isEdited) setAsking(true);
    else onClose();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <DialogFrame className={`popup fixed z-50 p-0 ${isLarge ? LARGE : MIDDLE}`} {...frame}>
          <div onInput={() => setEdited(true)}>{children}</div>
        </DialogFrame>
        {asking && (
          <ConfirmDialog
            title="Discard what you entered?"
            confirmLabel="Discard"
            keepLabel="Keep editing"
            pending={false}
            onConfirm={onClose}
            onClose={() => setAsking(false)}
          >
            None of it has been saved.
          </ConfirmDialog>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface DialogFrameProps extends PopupProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** Position and size of the dialog. */
  readonly className: string;
}

/** Title, close button and scrolling content: the inside of every dialog. */
function DialogFrame({ title, actions, children, className, ...popup }: DialogFrameProps) {
  return (
    <Dialog.Popup className={`flex flex-col ${className}`} {...popup}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5">
        <Dialog.Title render={<h2 />} className="min-w-0 flex-1 wrap-anywhere">
          {title}
        </Dialog.Title>
        {actions}
        <Dialog.Close className="btn btn-quiet btn-small max-md:min-w-11" aria-label="Close">
          <Icon name="close" />
        </Dialog.Close>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
    </Dialog.Popup>
  );
}

interface SidePanelProps extends Omit<DialogFrameProps, "className"> {
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
