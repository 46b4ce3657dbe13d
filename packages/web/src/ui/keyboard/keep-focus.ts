/** An element and its ancestors, each with its place among its siblings. */
type Way = readonly { readonly element: Element; readonly place: number }[];

const TARGETS = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]";
const SCOPES = "main, [role=dialog], [role=alertdialog]";

/**
 * If the element with the keyboard focus disappears, the focus moves to what took its place, such as the next row of a list.
 * Otherwise a screen reader would begin again at the top of the page. Returns a function that stops this.
 */
export function keepFocus(): () => void {
  let way: Way = [];
  /** The way to the last focus in the page itself, over which a dialog may be open. */
  let inPage: Way = [];
  const remember = ({ target }: Event): void => {
    if (!(target instanceof Element)) return;
    way = target.matches(":focus-visible") ? wayTo(target) : [];
    if (target.closest("main") !== null) inPage = way;
  };
  const forget = (): void => void (way = inPage = []);
  const isLost = (): boolean => document.activeElement === document.body && way[0]?.element.isConnected === false;
  const restore = (): void => {
    if (isLost()) (targetAt(way) ?? targetAt(inPage))?.focus({ preventScroll: true });
  };
  // Dialogs and new pages move the focus themselves; they come first.
  const observer = new MutationObserver(() => isLost() && requestAnimationFrame(restore));
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", remember);
  document.addEventListener("pointerdown", forget);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", remember);
    document.removeEventListener("pointerdown", forget);
  };
}

function wayTo(element: Element): Way {
  const { parentElement: parent } = element;
  if (parent === null) return [];
  return [{ element, place: [...parent.children].indexOf(element) }, ...wayTo(parent)];
}

/** The element at the end of a way, or what can have the focus at the nearest place that still exists, up to its page or dialog. */
function targetAt(way: Way): HTMLElement | undefined {
  const from = way.findIndex(({ element }) => element.isConnected);
  const scope = way[from]?.element.closest<HTMLElement>(SCOPES);
  if (scope === null || scope === undefined) return undefined;
  if (from === 0) return way[0]?.element instanceof HTMLElement ? way[0].element : undefined;
  for (const [at, { element }] of way.entries()) {
    if (at < from || !scope.contains(element)) continue;
    const target = nearest(element, way[at - 1]?.place ?? 0);
    if (target !== undefined) return target;
  }
  return scope;
}

/** The first element that can have the focus in a child of an element, in the next ones, or else in those before it. */
function nearest(parent: Element, place: number): HTMLElement | undefined {
  const children = [...parent.children];
  for (const child of [...children.slice(place), ...children.slice(0, place).toReversed()]) {
    const target = [child, ...child.querySelectorAll("*")]
      .filter((element) => element instanceof HTMLElement)
      .find((element) => element.matches(TARGETS) && element.checkVisibility());
    if (target !== undefined) return target;
  }
  return undefined;
}
