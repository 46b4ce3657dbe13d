import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { Button, IconButton } from "./button.tsx";
import { ErrorCard } from "./error-card.tsx";
import { Form } from "./form.tsx";
import { KeyCombination } from "./key-combination.tsx";
import { Skeleton } from "./skeleton.tsx";

test("only the button of a form submits it, and a refusal is announced", async () => {
  const sent: string[] = [];
  await renderPart(
    <Form submitLabel="Save" refusal="The disk is full." onSubmit={() => void sent.push("form")}>
      <Button>Other</Button>
      <IconButton label="Copy" icon="copy" onClick={() => sent.push("copy")} />
    </Form>,
  );
  await page.getByRole("button", { name: "Other" }).click();
  await page.getByRole("button", { name: "Copy" }).click();
  expect(sent).toEqual(["copy"]);
  await page.getByRole("button", { name: "Save" }).click();
  expect(sent).toEqual(["copy", "form"]);
  await expect.element(page.getByRole("alert")).toHaveTextContent("The disk is full.");
});

test("an error says what happened, and is tried again", async () => {
  let count = 0;
  await renderPart(<ErrorCard error={new Error("the answer is incomplete")} onRetry={() => (count += 1)} />);
  await expect.element(page.getByRole("alert")).toMatchTextContent(/Something went wrong.*the answer is incomplete/);
  await page.getByRole("button", { name: "Retry" }).click();
  expect(count).toBe(1);
});

test("a part that loads is announced, and keys are readable", async () => {
  await renderPart(
    <>
      <Skeleton rows={2} />
      <KeyCombination keys={["g", "r"]} />
    </>,
  );
  await expect.element(page.getByRole("status", { name: "Loading" })).toBeVisible();
  await expect.element(page.getByText("r", { exact: true })).toBeVisible();
});
