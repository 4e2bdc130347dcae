import { chooseTheme, readTheme, type Theme } from "../ui/stored-theme.ts";
import { element } from "./element.ts";

const LABELS: Readonly<Record<Theme, string>> = {
  system: "System",
  light: "Light",
  dark: "Dark",
};
const THEMES = ["system", "light", "dark"] as const;

/** The choice of colours, which the desk and the portal share. */
export function themeChoice(): HTMLElement {
  const options = THEMES.map((value) => element("option", { value, textContent: LABELS[value] }));
  const select = element("select", { ariaLabel: "Theme" }, options);
  select.value = readTheme();
  select.addEventListener("change", () => {
    chooseTheme(THEMES.find((theme) => theme === select.value) ?? "system");
  });
  return select;
}
