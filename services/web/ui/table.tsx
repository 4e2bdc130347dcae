import type { ReactNode } from "react";
import styles from "./table.module.css";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand right. */
  readonly align?: "right";
  /** Left out where the page is narrow. */
  readonly isMinor?: boolean;
}

interface TableProps<Row> {
  /** Read out by a screen reader. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The row that the keys j and k are at. */
  readonly currentKey?: string | null;
}

export function Table<Row>({ caption, columns, rows, keyOf, currentKey }: TableProps<Row>) {
  return (
    <div className={styles["frame"]} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles["table"]}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} aria-current={keyOf(row) === currentKey || undefined}>
              {columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>({ align, isMinor = false }: Column<Row>): string {
  return [align === "right" && styles["right"], isMinor && styles["minor"]]
    .filter(Boolean)
    .join(" ");
}
