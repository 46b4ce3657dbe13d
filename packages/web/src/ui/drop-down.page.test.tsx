import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { DropDown } from "./drop-down.tsx";

test("a panel closes by a click elsewhere, by Escape and when the focus leaves it, but not by a click inside", async () => {
  await renderPart(
    <>
      <DropDown button="Export">
        <label>
          <input type="checkbox" /> With data
        </label>
      </DropDown>
      <button type="button">Elsewhere</button>
    </>,
  );
  const [trigger, inside, elsewhere] = [
    page.getByText("Export"),
    page.getByLabelText("With data"),
    page.getByRole("button"),
  ];
  await expect.element(inside).not.toBeVisible();
  const leave = [
    () => elsewhere.click(),
    () => userEvent.keyboard("{Escape}"),
    () => userEvent.tab(),
    () => trigger.click(),
  ];
  for (const close of leave) {
    await trigger.click();
    await inside.click();
    await expect.element(inside).toBeVisible();
    await close();
    await expect.element(inside).not.toBeVisible();
  }
});
