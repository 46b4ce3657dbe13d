import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

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
        <Dialog.Popup className="popup fixed top-1/2 left-1/2 z-50 flex max-h-[85vh] w-[min(46rem,calc(100vw-1.5rem))] -translate-x-1/2 -translate-y-1/2 flex-col p-0">
          <div className="flex items-center border-b border-line px-4 py-2.5">
            <Dialog.Title render={<h2 />} className="flex-1">
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
