import type { ComponentProps } from "react";
import { Icon } from "./icon.tsx";

export interface ButtonProps extends ComponentProps<"button"> {
  /** `link`: text like a link that does not navigate; `segment`: one of several choices; `bare`: only `className`. */
  readonly look?: "plain" | "primary" | "danger" | "quiet" | "link" | "segment" | "bare";
  readonly small?: boolean;
}

const LOOKS: Readonly<Record<NonNullable<ButtonProps["look"]>, string>> = {
  plain: "btn",
  primary: "btn btn-primary",
  danger: "btn btn-danger",
  quiet: "btn btn-quiet",
  link: "link text-left",
  segment:
    "min-h-7 rounded-md px-2.5 font-medium whitespace-nowrap text-soft -outline-offset-2 hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:min-h-10",
  bare: "",
};

/** A button of the page, which does not submit its form unless `type` says so. On a phone it is as high as a finger. */
export function Button({ look = "plain", small = false, className = "", type = "button", ...props }: ButtonProps) {
  const classes = [LOOKS[look], small ? "btn-small" : "", className].filter((name) => name !== "").join(" ");
  return <button type={type} className={classes} {...props} />;
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "aria-label"> {
  readonly label: string;
  readonly icon: Parameters<typeof Icon>[0]["name"];
  readonly iconClass?: string;
}

/** A button that shows only an icon; `label` is its name. */
export function IconButton({ label, icon, iconClass, ...props }: IconButtonProps) {
  return (
    <Button aria-label={label} {...props}>
      <Icon name={icon} {...(iconClass === undefined ? {} : { className: iconClass })} />
    </Button>
  );
}
