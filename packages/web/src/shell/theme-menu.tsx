import { Menu } from "@base-ui/react/menu";
import { useSyncExternalStore } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";
import { chooseTheme, currentTheme, subscribeTheme, THEMES, type Theme } from "./theme.ts";

const LOOKS: Readonly<Record<Theme, { readonly label: string; readonly icon: IconName }>> = {
  system: { label: "System", icon: "screen" },
  light: { label: "Light", icon: "sun" },
  dark: { label: "Dark", icon: "moon" },
};

export function ThemeMenu() {
  const theme = useSyncExternalStore(subscribeTheme, currentTheme);
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="btn btn-quiet px-2 max-md:min-w-11" aria-label={`Theme: ${LOOKS[theme].label}`}>
        <Icon name={LOOKS[theme].icon} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6} className="z-50">
          <Menu.Popup className="popup">
            <Menu.RadioGroup
              value={theme}
              onValueChange={(value) => chooseTheme(THEMES.find((entry) => entry === value) ?? "system")}
            >
              {THEMES.map((entry) => (
                <Menu.RadioItem key={entry} value={entry} className="popup-item" closeOnClick>
                  <Icon name={LOOKS[entry].icon} />
                  <span className="flex-1">{LOOKS[entry].label}</span>
                  <Menu.RadioItemIndicator>
                    <Icon name="check" />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
