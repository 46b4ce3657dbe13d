import { useVirtualizer } from "@tanstack/react-virtual";
import { type ComponentProps, type Key, type ReactNode, useRef } from "react";

interface ListOptions {
  readonly count: number;
  /** Height in pixels of an item, estimated: those that are drawn are measured. */
  readonly itemPx: number;
  /** The key of an item. Default: its index. */
  readonly keyOf?: (index: number) => Key | undefined;
}

/** A list of which only the visible part is drawn. */
export function useVirtualList({ count, itemPx, keyOf }: ListOptions) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => itemPx,
    getItemKey: (index) => keyOf?.(index) ?? index,
    overscan: 10,
  });
  return {
    box,
    count,
    items: virtual.getVirtualItems(),
    heightPx: virtual.getTotalSize(),
    measure: virtual.measureElement,
    scrollTo: (index: number, align: "auto" | "center" = "auto") => virtual.scrollToIndex(index, { align }),
  };
}

interface VirtualListProps extends Omit<ComponentProps<"div">, "children" | "ref"> {
  readonly list: ReturnType<typeof useVirtualList>;
  /** Attributes of the list inside of the box that scrolls. */
  readonly inner?: ComponentProps<"ul">;
  /** Attributes of an item. */
  readonly item?: (index: number) => ComponentProps<"li">;
  readonly renderItem: (index: number) => ReactNode;
  /** Shown if there are no items. */
  readonly empty?: ReactNode;
}

/** The box of a virtual list; its other attributes are those of the box. */
export function VirtualList({ list, inner, item, renderItem, empty, className = "", ...others }: VirtualListProps) {
  const { box, count, items, heightPx, measure } = list;
  return (
    <div ref={box} className={`overflow-y-auto ${className}`} {...others}>
      {count === 0 && empty}
      <ul {...inner} className="relative" style={{ height: heightPx }}>
        {items.map(({ key, index, start }) => {
          const { className: own = "", ...ofItem } = item?.(index) ?? {};
          return (
            <li
              key={key}
              {...ofItem}
              ref={measure}
              data-index={index}
              className={`absolute inset-x-0 ${own}`}
              style={{ top: start }}
            >
              {renderItem(index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
