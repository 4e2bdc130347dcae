import { lazy, Suspense, useState } from "react";
import { useKeyActions } from "./key-table.ts";

const Help = lazy(async () => ({ default: (await import("./help.tsx")).Help }));
const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** What keys open on every screen: their own list, and the way to everywhere else. */
export function Everywhere() {
  const [open, setOpen] = useState<"help" | "palette" | null>(null);
  const close = (): void => setOpen(null);
  useKeyActions({
    help: () => setOpen("help"),
    palette: () => setOpen("palette"),
  });
  return (
    <Suspense fallback={null}>
      {open === "help" && <Help onClose={close} />}
      {open === "palette" && <Palette onClose={close} />}
    </Suspense>
  );
}
