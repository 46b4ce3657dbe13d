import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { DeleteButton } from "./delete-button.tsx";

function deleteButton(remove: { readonly mutate: () => void; readonly isPending?: boolean; readonly error?: Error }) {
  return (
    <DeleteButton title="Delete night?" noun="automation" remove={{ isPending: false, error: null, ...remove }}>
      Its runs are kept.
    </DeleteButton>
  );
}

test("a delete button deletes only after a confirmation", async () => {
  const mutate = vi.fn();
  await render(deleteButton({ mutate }));
  await page.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete night?" });
  await expect.element(dialog).toHaveAccessibleDescription("Its runs are kept.");
  expect(mutate).not.toHaveBeenCalled();
  await dialog.getByRole("button", { name: "Delete automation" }).click();
  expect(mutate).toHaveBeenCalledExactlyOnceWith();
});

test("a delete button shows a refusal next to its question, and cannot be pressed while it deletes", async () => {
  const mutate = vi.fn();
  const screen = await render(deleteButton({ mutate }));
  await page.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("alertdialog");
  await screen.rerender(deleteButton({ mutate, isPending: true }));
  await expect.element(dialog.getByRole("button", { name: "Delete automation" })).toBeDisabled();
  await screen.rerender(deleteButton({ mutate, error: new Error("It has changed") }));
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("Nothing was deleted: It has changed");
});
