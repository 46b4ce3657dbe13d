import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent, type Locator } from "vitest/browser";
import { renderPart } from "../../testing/render-part.tsx";
import type { Connecting } from "./ports/connect-layer.tsx";
import GraphView from "./graph-view.tsx";

const GRAPH: GraphRecord = {
  nodes: [
    { id: "input:name", kind: "input", label: "name" },
    { id: "step:greet", kind: "step", label: "Greet", step: "greet" },
    { id: "step:count", kind: "step", label: "Count", step: "count" },
    { id: "output:greeting", kind: "output", label: "greeting" },
  ],
  edges: [
    { from: "input:name", to: "step:greet", from_port: "name", to_port: "name" },
    { from: "step:greet", to: "output:greeting", from_port: "greeting", to_port: "greeting" },
  ],
};
const port = (name: string, isConnected: boolean) => ({ name, isConnected, isMissing: false, typeText: "File" });
const PORTS = {
  greet: { inputs: [port("name", true)], outputs: [port("greeting", true)] },
  count: { inputs: [port("text", false)], outputs: [port("count", false)] },
};

function Drawing({ connecting }: { readonly connecting?: Connecting }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState("");
  const choosing = {
    chosen,
    isOn: false,
    onToggle: (path: string) => setChosen((old) => old.symmetricDifference(new Set([path]))),
    onAdd: (paths: readonly string[]) => setChosen((old) => old.union(new Set(paths))),
  };
  return (
    <div className="h-[40rem] w-[60rem]">
      <GraphView
        graph={GRAPH}
        name="greetings"
        selected={selected}
        onSelect={setSelected}
        detail={null}
        ports={PORTS}
        choosing={choosing}
        {...(connecting && { connecting })}
      />
      <output aria-label="Chosen">{[...chosen].toSorted().join(" ")}</output>
    </div>
  );
}

async function showDrawing() {
  const onConnect = vi.fn<Connecting["onConnect"]>();
  const compatiblePorts = (source: string) =>
    Promise.resolve(source === "greet/greeting" ? [{ path: "count", port: "text" }] : []);
  await renderPart(<Drawing connecting={{ compatiblePorts, onConnect }} />);
  await expect.element(node("greet")).toBeVisible();
  await page.getByRole("button", { name: "Fit to screen" }).click();
  return onConnect;
}

const node = (path: string) => page.getByCss(`[data-path="${path}"]`);

/** Presses at the middle of one element and moves to the middle of another; the button stays down. */
async function dragTo(from: Locator, to: Locator, more: PointerEventInit = {}): Promise<(type: string) => void> {
  const source = await from.findElement();
  const [start, end] = [middleOf(source), middleOf(await to.findElement())];
  const send = (target: EventTarget, type: string, at: PointerEventInit): boolean =>
    target.dispatchEvent(
      new PointerEvent(type, { bubbles: true, button: 0, buttons: 1, pointerId: 1, ...more, ...at }),
    );
  send(source, "pointerdown", start);
  await nextFrame();
  send(window, "pointermove", end);
  await nextFrame();
  return (type) => void send(window, type, end);
}

function middleOf(element: Element): { readonly clientX: number; readonly clientY: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

/** The page listens to the pointer only after it has rendered the start of a gesture. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

test("a line that is dragged marks the ports that accept it, and connects one", async () => {
  const onConnect = await showDrawing();
  const release = await dragTo(page.getByCss('[data-connect="greet/greeting"]'), node("count"));
  await expect.element(page.getByCss('[data-port-target="count text"]')).toBeInTheDocument();
  expect(document.querySelectorAll("[data-target]").length).toBe(1);
  release("pointerup");
  await expect.poll(() => onConnect.mock.calls).toEqual([["greet/greeting", { path: "count" }]]);
  expect(document.querySelectorAll("[data-target]").length).toBe(0);
});

test("Escape cancels a line, and a line without a compatible target connects nothing", async () => {
  const onConnect = await showDrawing();
  let release = await dragTo(page.getByCss('[data-connect="greet/greeting"]'), node("count"));
  await expect.element(page.getByCss('[data-target="count"]')).toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => document.querySelectorAll("[data-target]").length).toBe(0);
  release("pointerup");
  release = await dragTo(page.getByCss('[data-connect="count/count"]'), node("greet"));
  release("pointerup");
  expect(onConnect).not.toHaveBeenCalled();
});

test("steps are chosen by a box that is drawn with Shift, and one by one with Shift", async () => {
  await showDrawing();
  const graph = page.getByRole("group", { name: /^Graph/ });
  const chosen = page.getByLabelText("Chosen");
  const box = graph.element().getBoundingClientRect();
  const send = (target: EventTarget, type: string, clientX: number, clientY: number): boolean =>
    target.dispatchEvent(
      new PointerEvent(type, { bubbles: true, button: 0, buttons: 1, shiftKey: true, clientX, clientY }),
    );
  send(graph.element(), "pointerdown", box.left + 2, box.top + 2);
  await nextFrame();
  // No frame is drawn between the last movement and the release.
  send(window, "pointermove", box.right - 2, box.bottom - 2);
  send(window, "pointerup", box.right - 2, box.bottom - 2);
  await expect.element(chosen).toHaveTextContent("count greet");
  await node("greet").click({ modifiers: ["Shift"] });
  await expect.element(chosen).toHaveTextContent("count");
});

test("arrow keys lead along the lines from node to node", async () => {
  await showDrawing();
  (node("input:name").element() as HTMLElement).focus(); // a node is a button
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(node("greet")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(node("output:greeting")).toHaveFocus();
});

test("a drawing below much else keeps a height that shows several steps", async () => {
  await page.viewport(1280, 800);
  await renderPart(
    <div className="w-152 pt-140">
      <GraphView graph={GRAPH} name="greetings" selected="" onSelect={() => undefined} detail={null} isNarrow />
    </div>,
  );
  await expect.element(node("greet")).toBeVisible();
  const { height } = page.getByCss("canvas").element().getBoundingClientRect();
  expect(height).toBeGreaterThan(340);
});
