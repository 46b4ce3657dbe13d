import { Dialog } from "@base-ui/react/dialog";
import { useState, type ReactNode } from "react";
import { DialogFrame } from "./dialog-frame.tsx";
import { onDemand } from "./on-demand.tsx";

const ConfirmDialog = onDemand(() => import("./confirm-dialog.tsx"));

export interface ModalProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Whether closing the dialog would lose what users have typed into it; they are asked before. */
  readonly isForm?: boolean;
}

/** A dialog over the page. */
export function Modal({ title, children, onClose, isForm = false }: ModalProps) {
  const [isEdited, setEdited] = useState(false);
  const [asking, setAsking] = useState(false);
  const close = (): void => (isForm && isEdited ? setAsking(true) : onClose());
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <DialogFrame
          title={title}
          className="popup fixed top-1/2 left-1/2 z-50 max-h-[85vh] w-[min(46rem,calc(100vw-1.5rem))] -translate-x-1/2 -translate-y-1/2 p-0"
        >
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
            Nothing of it has been saved.
          </ConfirmDialog>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  );
}
