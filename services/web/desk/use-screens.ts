import { useMemo } from "react";
import { includesRole } from "../../domain/account/rules/operator-role.ts";
import { SCREENS, type Screen } from "./screens.tsx";
import { useOperator } from "./session/session.ts";

/** The screens that the operator's role has something to do on. */
export function useScreens(): readonly Screen[] {
  const { role } = useOperator();
  return useMemo(
    () => SCREENS.filter(({ least }) => least === undefined || includesRole(role, least)),
    [role],
  );
}
