import { useState, type ComponentType } from "react";
import { useToasts } from "../../ui/toasts.tsx";
import { useKeyActions } from "./key-table.ts";

type Dialog = ComponentType<{ readonly onClose: () => void }>;

const loadHelp = async (): Promise<Dialog> => (await import("./help.tsx")).Help;
const loadPalette = async (): Promise<Dialog> => (await import("./palette.tsx")).Palette;

/** What keys open on every screen: their own list, and the way to everywhere else. */
export function Everywhere() {
  const toasts = useToasts();
  const [Open, setOpen] = useState<Dialog | null>(null);
  // Code that cannot be fetched, as while the service restarts, costs its dialog alone; the key tries again.
  const show = (load: () => Promise<Dialog>): void => {
    load().then(
      (dialog) => setOpen(() => dialog),
      () =>
        toasts.notDone("It could not be opened", "The desk did not answer. Press the key again."),
    );
  };
  useKeyActions({ help: () => show(loadHelp), palette: () => show(loadPalette) });
  return Open !== null && <Open onClose={() => setOpen(null)} />;
}
