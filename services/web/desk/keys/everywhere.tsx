import { useState } from "react";
import { Modal } from "../../ui/modal.tsx";
import { useScreens } from "../use-screens.ts";
import styles from "./help.module.css";
import { KEY_GROUPS, KEY_TABLE, keyText, useKeyActions, type KeyAction } from "./key-table.ts";
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

/** Every key, from the one table of them. */
function Help({ onClose }: { readonly onClose: () => void }) {
  const rows = Object.entries(KEY_TABLE) as [KeyAction, (typeof KEY_TABLE)[KeyAction]][];
  return (
    <Modal
      title="Keys"
      description="Inactive while you type and while a dialog is open."
      onClose={onClose}
    >
      {KEY_GROUPS.map((group) => (
        <section key={group} className={styles["group"]}>
          <h3>{group}</h3>
          <dl className={styles["keys"]}>
            {rows
              .filter(([, row]) => row.group === group)
              .map(([name, row]) => (
                <KeyLine key={name} text={keyText(name)} does={row.does} />
              ))}
            {group === "Everywhere" && <ScreenKeys />}
          </dl>
        </section>
      ))}
    </Modal>
  );
}

function ScreenKeys() {
  return useScreens().map(({ path, nav, goKey }) =>
    goKey === undefined ? null : (
      <KeyLine key={path} text={`g ${goKey}`} does={`Go to ${nav ?? path}`} />
    ),
  );
}

function KeyLine({ text, does }: { readonly text: string; readonly does: string }) {
  return (
    <div>
      <dt>
        <kbd>{text}</kbd>
      </dt>
      <dd>{does}</dd>
    </div>
  );
}
