import { expect } from "@playwright/test";
import { newStateFolder } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { writeWorkbenchCatalog } from "./workbench-catalog.ts";

test("two windows with one form keep their own values, run names included", async ({ page, context, ownServer }) => {
  const { url } = await ownServer({ catalog: await writeWorkbenchCatalog(await newStateFolder()) });
  const address = `${url}/network/greetings?tab=run`;
  const other = await context.newPage();
  for (const [window, value] of [
    [page, "first"],
    [other, "second"],
  ] as const) {
    await window.goto(address);
    await window.getByRole("textbox", { name: /^name/ }).fill(value);
    await window.getByText("Run name and options").click();
    await window.getByRole("textbox", { name: "Run name" }).fill(`From the ${value}`);
  }
  for (const [window, value] of [
    [page, "first"],
    [other, "second"],
  ] as const) {
    await window.reload();
    await expect(window.getByRole("textbox", { name: /^name/ })).toHaveValue(value);
    await window.getByText("Run name and options").click();
    await expect(window.getByRole("textbox", { name: "Run name" })).toHaveValue(`From the ${value}`);
  }
});
