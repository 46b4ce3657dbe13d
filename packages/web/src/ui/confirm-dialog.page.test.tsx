import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import ConfirmDialog from "./confirm-dialog.tsx";

test("a dialog focuses the cancel button, and closes by it and by Escape", async () => {
  const [confirm, close] = [vi.fn(), vi.fn()];
  await render(
    <ConfirmDialog
      title="Abort 3 runs?"
      confirmLabel="Abort 3 runs"
      pending={false}
      onConfirm={confirm}
      onClose={close}
    >
      Their jobs end.
    </ConfirmDialog>,
  );
  const dialog = page.getByRole("alertdialog", { name: "Abort 3 runs?" });
  await expect.element(dialog).toHaveAccessibleDescription("Their jobs end.");
  await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  expect(close).toHaveBeenCalledTimes(1);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(close).toHaveBeenCalledTimes(2);
  expect(confirm).not.toHaveBeenCalled();
});

function Asking() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button onClick={() => setAsking(true)}>Abort…</button>
      {asking && (
        <ConfirmDialog
          title="Abort?"
          confirmLabel="Abort"
          pending={false}
          onConfirm={vi.fn()}
          onClose={() => setAsking(false)}
        >
          <a href="#jobs">Its jobs</a> end.
        </ConfirmDialog>
      )}
    </>
  );
}

test("a closed dialog returns the focus to the button that opened it", async () => {
  await render(<Asking />);
  const button = page.getByRole("button", { name: "Abort…" });
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("button", { name: "Cancel" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(button).toHaveFocus();
});
