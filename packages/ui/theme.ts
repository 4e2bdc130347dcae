import { useSyncExternalStore } from "react";
import { chooseTheme, onThemeChange, readTheme, type Theme } from "./stored-theme.ts";

export type { Theme };

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(onThemeChange, readTheme), chooseTheme];
}
