import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { SearchBox } from "./search-field.tsx";
import { useSearchParam } from "./use-search-param.ts";

function Filters() {
  const [state, setState] = useSearchParam("state");
  const [owner, setOwner] = useSearchParam("owner");
  return (
    <>
      <SearchBox label="Search" />
      <button onClick={() => setState(state === "" ? "failed" : "")}>State</button>
      <button onClick={() => setOwner(owner === "" ? "ana" : "")}>Owner</button>
    </>
  );
}

test("two filters in quick succession are both set", async () => {
  const { address } = await renderPart(<Filters />);
  const [state, owner] = [await button("State").findElement(), await button("Owner").findElement()];
  // Between the clicks, React only has time for urgent updates.
  click(state);
  await Promise.resolve();
  click(owner);
  await expect.poll(address).toBe("/?state=failed&owner=ana");
});

test("a search keeps typed text while the URL is updated, and a filter that is set in the meantime", async () => {
  const { address } = await renderPart(<Filters />);
  const search = page.getByRole("searchbox", { name: "Search" });
  for (const letter of "smooth") {
    await userEvent.type(search, letter);
    if (letter === "m") await button("Owner").click();
    if (letter === "o") await expect.poll(address).toContain("q=smo");
  }
  // The order depends on how long the click takes.
  const query = () => Object.fromEntries(new URLSearchParams(address().split("?")[1]));
  await expect.poll(query).toEqual({ owner: "ana", q: "smooth" });
  await expect.element(search).toHaveValue("smooth");
});

function click(element: Element): void {
  element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

function button(name: string) {
  return page.getByRole("button", { name });
}
