import { Form, type FormProps } from "./form.tsx";
import { Modal } from "./modal.tsx";

interface FormDialogProps extends FormProps {
  readonly title: string;
  readonly onClose: () => void;
}

/** A dialog with a form: it asks before it drops typed text. */
export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Modal title={title} onClose={onClose} isForm isBusy={form.isPending ?? false}>
      <Form {...form} />
    </Modal>
  );
}
