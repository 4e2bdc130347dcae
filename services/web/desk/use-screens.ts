import { SCREENS, type Screen } from "./screens.tsx";
import { mayAs, useOperator } from "./session/session.ts";

/** The screens that the operator's role has something to do on. */
export function useScreens(): readonly Screen[] {
  const { role } = useOperator();
  return SCREENS.filter(({ least }) => least === undefined || mayAs(role, least));
}
