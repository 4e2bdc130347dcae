import { useState, type KeyboardEvent } from "react";
import { NONE_SELECTED, stillShown, toggled, toggledAll, type Selection } from "./list-rules.ts";
import styles from "./list.module.css";

/** The selected rows of a page; by checkbox, by shift for all between, and by the space bar. */
export interface RowSelection {
  readonly selected: readonly string[];
  readonly has: (key: string) => boolean;
  readonly toggle: (key: string, withRange: boolean) => void;
  readonly toggleAll: () => void;
  readonly keep: (keys: readonly string[]) => void;
}

/** `shown` are the keys of the page's rows: what leaves the page is selected no more. */
export function useSelection(shown: readonly string[]): RowSelection {
  const [kept, setKept] = useState<Selection>(NONE_SELECTED);
  const selection = stillShown(kept, shown);
  return {
    selected: shown.filter((key) => selection.keys.has(key)),
    has: (key) => selection.keys.has(key),
    toggle: (key, withRange) => setKept(toggled(selection, shown, { key, withRange })),
    toggleAll: () => setKept(toggledAll(selection, shown)),
    keep: (keys) => setKept({ keys: new Set(keys), last: null }),
  };
}

export interface Selecting<Row> {
  readonly selection: RowSelection;
  /** Which rows can be selected, where not all can; the keys of the others are not among those of `selection`. */
  readonly isSelectable?: (row: Row) => boolean;
  readonly nameOf: (row: Row) => string;
}

export function SelectAll<Row>({
  selection,
  isSelectable = () => true,
  rows,
}: Selecting<Row> & { readonly rows: readonly Row[] }) {
  const count = selection.selected.length;
  const most = rows.filter(isSelectable).length;
  return (
    <th scope="col" className={styles["select"]}>
      <input
        type="checkbox"
        aria-label="Select all on this page"
        disabled={most === 0}
        checked={count > 0 && count === most}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && count < most;
        }}
        onChange={selection.toggleAll}
      />
    </th>
  );
}

interface SelectRowProps<Row> extends Selecting<Row> {
  readonly row: Row;
  readonly rowKey: string;
}

export function SelectRow<Row>(props: SelectRowProps<Row>) {
  const { selection, nameOf, row, rowKey, isSelectable = () => true } = props;
  if (!isSelectable(row)) return <td className={styles["select"]} />;
  return (
    <td className={styles["select"]}>
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(row)}`}
        checked={selection.has(rowKey)}
        onChange={({ nativeEvent }) =>
          selection.toggle(rowKey, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </td>
  );
}

/** The space bar selects the row that has the focus; with shift, all from the last one to it. */
export function bySpace(selection: RowSelection) {
  return (event: KeyboardEvent): void => {
    if (event.key !== " " || !(event.target instanceof HTMLAnchorElement)) return;
    const key = event.target.closest<HTMLElement>("tr[data-key]")?.dataset["key"];
    if (key === undefined) return;
    event.preventDefault();
    selection.toggle(key, event.shiftKey);
  };
}
