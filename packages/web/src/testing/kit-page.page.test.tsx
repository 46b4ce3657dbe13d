import axe from "axe-core";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { ToastRegion } from "../ui/toast.tsx";
import KitPage from "./kit-page.tsx";
import source from "./kit-page.tsx?raw";
import { renderPart } from "./render-part.tsx";

/** Parts without a look of their own. */
const UNSEEN = ["error-boundary", "on-demand", "query-view", "toast-region"];

test("the page of the kit shows every part", () => {
  const parts = Object.keys(import.meta.glob(["../ui/*.tsx", "!../ui/*.test.tsx"])).map(
    (path) => /([\w-]+)\.tsx$/.exec(path)?.[1] ?? path,
  );
  const missing = parts.filter((part) => !source.includes(`/${part}.tsx"`));
  expect(missing).toEqual(UNSEEN);
});

test("the kit is accessible in both themes, with its dialogs and messages", async () => {
  await renderPart(
    <main>
      <KitPage />
      <ToastRegion />
    </main>,
  );
  await expect.poll(problems).toEqual([]);
  const light = page.getByRole("region", { name: "light" });
  for (const name of ["Dialog", "Form", "Question", "Panel"]) {
    await light.getByRole("button", { name, exact: true }).click();
    await expect.element(page.getByRole(name === "Question" ? "alertdialog" : "dialog")).toBeVisible();
    expect(await problems()).toEqual([]);
    await page.getByRole("button", { name: name === "Question" ? "Cancel" : "Close" }).click();
  }
  await light.getByRole("button", { name: "Error", exact: true }).click();
  await expect.element(page.getByLabelText("Notifications").getByText(/disk is full/)).toBeVisible();
});

/** The findings of axe, contrast included. Each theme shows the same landmarks. */
async function problems(): Promise<readonly string[]> {
  const { violations } = await axe.run({
    resultTypes: ["violations"],
    rules: { "landmark-unique": { enabled: false } },
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
