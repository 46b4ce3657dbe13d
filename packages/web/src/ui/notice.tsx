import type { ComponentProps, ReactNode } from "react";

interface NoticeProps extends Omit<ComponentProps<"div">, "title"> {
  readonly tone?: "plain" | "warning" | "failed";
  /** A heading in the color of the tone. */
  readonly title?: ReactNode;
  /** Buttons or links: next to a short text, or below a text with a title. */
  readonly actions?: ReactNode;
}

const FRAMES = { plain: "text-soft", warning: "border-canceled/50", failed: "border-failed/50" } as const;
const TITLES = { plain: "text-ink", warning: "text-canceled", failed: "text-failed" } as const;

/** A message in a card: a remark, a warning, or what is wrong. Its role says when screen readers announce it. */
export function Notice({ tone = "plain", title, actions, children, ...props }: NoticeProps) {
  const hasTitle = title !== undefined;
  return (
    <div
      {...props}
      className={`card px-4 py-3 ${FRAMES[tone]} ${hasTitle ? "" : "flex flex-wrap items-center justify-between gap-x-3 gap-y-2"} ${props.className ?? ""}`}
    >
      {hasTitle && <h2 className={`mb-1 wrap-anywhere ${TITLES[tone]}`}>{title}</h2>}
      <div className="max-w-prose min-w-0 wrap-anywhere">{children}</div>
      {actions !== undefined && (
        <div className={`flex flex-wrap items-center gap-2 ${hasTitle ? "mt-3" : ""}`}>{actions}</div>
      )}
    </div>
  );
}
