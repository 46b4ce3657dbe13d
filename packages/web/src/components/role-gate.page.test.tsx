import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart, SESSION } from "../testing/render-part.tsx";
import { PanelList } from "./panel-list.tsx";
import { AuthorGate, RoleGate } from "./role-gate.tsx";

const ROWS = [{ id: "night" }, { id: "day" }];

function Parts() {
  return (
    <>
      <RoleGate needs="runner" what="Starting a run">
        The form
      </RoleGate>
      <AuthorGate>The editor</AuthorGate>
      <PanelList
        caption="Automations"
        columns={[{ label: "Name", render: ({ id }) => id }]}
        rows={ROWS}
        empty="None yet"
        idOf={({ id }) => id}
        param="open"
        renderPanel={({ id }, onClose) => (
          <button type="button" key={id} onClick={onClose}>
            Close {id}
          </button>
        )}
        action="Add one"
      />
    </>
  );
}

test("a viewer learns which roles are needed, and is offered no action", async () => {
  const session = { ...SESSION, principal: "vera", role: "viewer" } as const;
  await renderPart(<Parts />, { answers: { "GET /api/session": () => session } });
  await expect
    .element(page.getByText(/^Starting a run requires the role runner\. You are signed in as vera with/))
    .toBeVisible();
  await expect.element(page.getByText(/requires the role author/)).toBeVisible();
  for (const hidden of ["The form", "The editor", "Add one"]) expect(page.getByText(hidden).elements()).toEqual([]);
});

test("an admin sees everything, and the panel that the address names, which closes", async () => {
  const { address } = await renderPart(<Parts />, { at: "/?open=day", answers: { "GET /api/session": () => SESSION } });
  await expect.element(page.getByText(/The form.*The editor.*Add one/).first()).toBeVisible();
  await page.getByRole("button", { name: "Close day" }).click();
  expect(address()).toBe("/");
});

test("a server without a workbench says so to its authors", async () => {
  const session = { ...SESSION, workbench: false };
  await renderPart(<AuthorGate>The editor</AuthorGate>, { answers: { "GET /api/session": () => session } });
  await expect.element(page.getByText(/does not permit editing/)).toBeVisible();
});
