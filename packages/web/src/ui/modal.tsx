import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { DialogFrame } from "./dialog-frame.tsx";

export interface ModalProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** A dialog over the page. */
export function Modal({ title, children, onClose }: ModalProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <DialogFrame
          title={title}
          className="popup fixed top-1/2 left-1/2 z-50 max-h-[85vh] w-[min(46rem,calc(100vw-1.5rem))] -translate-x-1/2 -translate-y-1/2 p-0"
        >
          {children}
        </DialogFrame>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
