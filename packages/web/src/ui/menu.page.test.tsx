import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuName, SubMenu } from "./menu.tsx";

test("a menu acts, opens pages and keeps choices, by keyboard and mouse", async () => {
  const did: unknown[] = [];
  const { address } = await renderPart(
    <Menu button={<MenuName name="More" />}>
      <MenuItem onClick={() => did.push("copied")}>Copy</MenuItem>
      <MenuItem disabled onClick={() => did.push("archived")}>
        Archive
      </MenuItem>
      <MenuCheck checked={false} onCheck={(isOn) => did.push(isOn)}>
        Notify me
      </MenuCheck>
      <MenuChoice
        options={[
          { id: "light", label: "Light", icon: "sun" },
          { id: "dark", label: "Dark", icon: "moon" },
        ]}
        chosen="light"
        onChoose={(id) => did.push(id)}
      />
      <SubMenu label="Open">
        <MenuItem to="/runs">Runs</MenuItem>
        <MenuItem href="/api/doc/">API reference</MenuItem>
      </SubMenu>
    </Menu>,
  );
  const open = () => page.getByRole("button", { name: "More" }).click();
  page.getByRole("button", { name: "More" }).element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("menuitemradio", { name: "Light" })).toBeChecked();
  await userEvent.keyboard("{Home}");
  await expect.element(page.getByRole("menuitem", { name: "Copy" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(did).toEqual(["copied"]);
  await open();
  await expect.element(page.getByRole("menuitem", { name: "Archive" })).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("menuitemcheckbox", { name: "Notify me" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  expect(did).toEqual(["copied", true, "dark"]);
  await open();
  await page.getByRole("menuitem", { name: "Open" }).click();
  await expect.element(page.getByRole("menuitem", { name: "API reference" })).toHaveAttribute("href", "/api/doc/");
  await page.getByRole("menuitem", { name: "Runs" }).click();
  expect(address()).toBe("/runs");
});
