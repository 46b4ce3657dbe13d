import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Field, Input } from "./field.tsx";
import { FormDialog } from "./form-dialog.tsx";

async function showDialog(state: { readonly refusal?: string; readonly isPending?: boolean } = {}) {
  const calls = { submit: vi.fn<(form: FormData) => void>(), close: vi.fn() };
  await render(
    <FormDialog
      title="Rename"
      submitLabel="Save"
      pendingLabel="Saving…"
      onSubmit={calls.submit}
      onClose={calls.close}
      {...state}
    >
      <Field label="Name">
        <Input name="name" required />
      </Field>
    </FormDialog>,
  );
  return { ...calls, name: page.getByRole("textbox", { name: "Name" }) };
}

test("a form dialog submits its fields only when they are complete", async () => {
  const { submit, name } = await showDialog();
  await page.getByRole("button", { name: "Save" }).click();
  expect(submit).not.toHaveBeenCalled();
  await name.fill("night");
  await userEvent.keyboard("{Enter}");
  expect(submit.mock.calls.map(([form]) => form.get("name"))).toEqual(["night"]);
});

test("a form dialog keeps typed text when it is refused or closed by Escape", async () => {
  const { close, name } = await showDialog({ refusal: "There is a step of this name" });
  await name.fill("night");
  await expect.element(page.getByRole("alert")).toHaveTextContent("There is a step of this name");
  await userEvent.keyboard("{Escape}");
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep editing" }).click();
  await expect.element(name).toHaveValue("night");
  expect(close).not.toHaveBeenCalled();
});

test("a form dialog that is being sent cannot be sent again", async () => {
  await showDialog({ isPending: true });
  await expect.element(page.getByRole("button", { name: "Saving…" })).toBeDisabled();
});
