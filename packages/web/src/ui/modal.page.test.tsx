import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Modal } from "./modal.tsx";

test("a dialog whose request is pending stays open, because a refusal would appear in it", async () => {
  const close = vi.fn();
  await render(
    <Modal title="New" onClose={close} isBusy>
      <p>Publishing…</p>
    </Modal>,
  );
  await userEvent.keyboard("{Escape}");
  await page.getByRole("button", { name: "Close" }).click();
  expect(close).not.toHaveBeenCalled();
});

async function showForm(isForm: boolean) {
  const close = vi.fn();
  await render(
    <Modal title="New" onClose={close} isForm={isForm}>
      <input aria-label="Name" />
    </Modal>,
  );
  return { close, name: page.getByRole("textbox", { name: "Name" }) };
}

test("a form keeps its text when Escape is pressed, until its user discards it", async () => {
  const { close, name } = await showForm(true);
  await name.fill("Night");
  for (const leave of [
    () => userEvent.keyboard("{Escape}"),
    () => page.getByRole("button", { name: "Close" }).click(),
  ]) {
    await leave();
    await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
    await expect.element(name).toHaveValue("Night");
    await vi.waitFor(() => expect(document.activeElement?.closest("[role=dialog]")).not.toBeNull());
  }
  expect(close).not.toHaveBeenCalled();
  await userEvent.keyboard("{Escape}");
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  expect(close).toHaveBeenCalledTimes(1);
});

test("a dialog whose form has no text closes at once", async () => {
  const { close } = await showForm(true);
  await userEvent.keyboard("{Escape}");
  expect(close).toHaveBeenCalledTimes(1);
});

test("a dialog without a form closes even after typing", async () => {
  const { close, name } = await showForm(false);
  await name.fill("search");
  await userEvent.keyboard("{Escape}");
  expect(close).toHaveBeenCalledTimes(1);
});
