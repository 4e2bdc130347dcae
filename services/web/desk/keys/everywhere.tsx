import { useState } from "react";
import { Help } from "./help.tsx";
import { useKeyActions } from "./key-table.ts";
import { Palette } from "./palette.tsx";

/**
 * What keys open on every screen: their own list, and the way to everywhere else. Both open at once, without fetching
 * code: until a dialog is open, what is typed into it acts on the page, where `a` approves.
 */
export function Everywhere() {
  const [open, setOpen] = useState<"help" | "palette" | null>(null);
  const close = (): void => setOpen(null);
  useKeyActions({ help: () => setOpen("help"), palette: () => setOpen("palette") });
  return (
    <>
      {open === "help" && <Help onClose={close} />}
      {open === "palette" && <Palette onClose={close} />}
    </>
  );
}
