import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { QueryView } from "./query-view.tsx";

const show = (query: { readonly data?: string; readonly error?: Error }) =>
  renderPart(
    // The view reads only these parts of a query. eslint-disable-next-line typescript/no-unsafe-type-assertion
    <QueryView query={{ error: null, ...query } as never}>{(data: string) => <p>{data}</p>}</QueryView>,
  );

test("a query without an answer shows that it loads", async () => {
  await show({});
  await expect.element(page.getByRole("status", { name: "Loading" })).toBeInTheDocument();
});

test("a query with data shows them, also if it failed since", async () => {
  await show({ data: "Three runs", error: new Error("no answer") });
  await expect.element(page.getByText("Three runs")).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

test("an error in a part is shown in its place, until its page changes", async () => {
  const Broken = ({ isBroken }: { readonly isBroken: boolean }) => {
    if (isBroken) throw new Error("unexpected value");
    return <p>Works</p>;
  };
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const part = (path: string) => (
    <ErrorBoundary resetKey={path}>
      <Broken isBroken={path === "/a"} />
    </ErrorBoundary>
  );
  const first = await renderPart(part("/a"));
  await expect.element(page.getByRole("alert")).toMatchTextContent(/unexpected value/);
  await first.unmount();
  await renderPart(part("/b"));
  await expect.element(page.getByText("Works")).toBeVisible();
});
