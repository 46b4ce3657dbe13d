import { MoreMenu } from "./more-menu.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

/** Both menus of the header, loaded after the first paint. */
export default function HeaderMenus() {
  return (
    <>
      <ThemeMenu />
      <MoreMenu />
    </>
  );
}
