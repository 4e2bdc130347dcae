import { Modal } from "../../ui/modal.tsx";
import { useScreens } from "../use-screens.ts";
import { KEY_GROUPS, KEY_TABLE, keyText, type KeyAction } from "./key-table.ts";
import styles from "./help.module.css";

/** Every key, from the one table of them. */
export function Help({ onClose }: { readonly onClose: () => void }) {
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
