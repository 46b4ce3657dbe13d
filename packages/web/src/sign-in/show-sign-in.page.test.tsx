import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { switchAccount } from "../api/account.ts";
import { renderPart, SESSION } from "../testing/render-part.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Input } from "../ui/field.tsx";

test("signing in again brings back the dialog behind, with all that was typed there", async () => {
  switchAccount("ann");
  await renderPart(
    <FormDialog title="Note" onClose={() => expect.unreachable()} onSubmit={() => {}} submitLabel="Save">
      <Input aria-label="Text" />
    </FormDialog>,
    {
      answers: {
        "POST /api/session": () => new Response(null, { status: 204 }),
        "GET /api/session": () => ({ ...SESSION, auth: "token", principal: "ann" }),
      },
    },
  );
  await page.getByRole("textbox", { name: "Text" }).fill("unsaved");
  const { showSignIn } = await import("./show-sign-in.tsx");
  let returns = 0;
  showSignIn(() => returns++);
  await page.getByLabelText("Token").click();
  await page.getByLabelText("Token").fill("weft_x");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect.poll(() => returns).toBe(1);
  await expect.element(page.getByRole("heading", { name: "Sign in" })).not.toBeInTheDocument();
  const text = page.getByRole("textbox", { name: "Text" });
  await expect.element(text).toHaveValue("unsaved");
  await text.fill("can be changed");
});
