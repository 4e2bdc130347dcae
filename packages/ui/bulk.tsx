import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { useIsShown } from "./http/command.ts";
import { once, Problem, type Command } from "./http/request.ts";
import { counted, endsRun } from "./list-rules.ts";
import styles from "./list.module.css";
import { Modal, ModalActions } from "./modal.tsx";
import type { RowSelection } from "./selection.tsx";
import { useToasts } from "./toasts.tsx";

/** What is done to each selected row: `Release`, `released`. */
export interface BulkAct {
  readonly verb: string;
  readonly done: string;
  readonly commandFor: (key: string) => Command;
}

interface Refused {
  readonly key: string;
  readonly why: string;
}

interface Run {
  readonly act: BulkAct;
  readonly of: number;
  readonly tried: number;
  readonly refused: readonly Refused[];
  readonly isOver: boolean;
}

interface BulkOptions {
  readonly selection: RowSelection;
  /** What a row is: `case`. */
  readonly one: string;
  readonly many?: string | undefined;
  /** How a row that was refused is named. */
  readonly nameOf: (key: string) => string;
  /** Subjects that are fetched again afterwards. */
  readonly refreshes: readonly string[];
}

/** Does one act to each selected row, one after the other, and says which were refused. */
export function useBulk({ selection, one, many, nameOf, refreshes }: BulkOptions) {
  const client = useQueryClient();
  const toasts = useToasts();
  const isShown = useIsShown();
  const [run, setRun] = useState<Run | null>(null);
  const isStopped = useRef(false);
  const start = async (act: BulkAct): Promise<void> => {
    const keys = selection.selected;
    isStopped.current = false;
    const refused: Refused[] = [];
    let tried = 0;
    for (const key of keys) {
      if (isStopped.current || !isShown()) break;
      setRun({ act, of: keys.length, tried, refused, isOver: false });
      try {
        await once(act.commandFor(key), { current: null });
      } catch (error) {
        refused.push({ key, why: error instanceof Error ? error.message : String(error) });
        if (!(error instanceof Problem) || endsRun(error)) isStopped.current = true;
      }
      tried += 1;
    }
    for (const subject of refreshes) void client.invalidateQueries({ queryKey: [subject] });
    selection.keep([...refused.map(({ key }) => key), ...keys.slice(tried)]);
    const done = tried - refused.length;
    if (done > 0) toasts.done(`${counted(done, one, many)} ${act.done}`);
    const isWhole = refused.length === 0 && tried === keys.length;
    setRun(isWhole ? null : { act, of: keys.length, tried, refused, isOver: true });
  };
  const dialog = run !== null && (
    <BulkDialog
      run={run}
      one={one}
      many={many}
      nameOf={nameOf}
      onStop={() => (isStopped.current = true)}
      onClose={() => setRun(null)}
    />
  );
  return { start: (act: BulkAct) => void start(act), dialog };
}

interface BulkDialogProps extends Pick<BulkOptions, "one" | "many" | "nameOf"> {
  readonly run: Run;
  readonly onStop: () => void;
  readonly onClose: () => void;
}

function BulkDialog({ run, one, many, nameOf, onStop, onClose }: BulkDialogProps) {
  const { act, of, tried, refused, isOver } = run;
  const untried = of - tried;
  return (
    <Modal title={`${act.verb} ${counted(of, one, many)}`} isHeld={!isOver} onClose={onClose}>
      <p role="status">
        {isOver
          ? `${tried - refused.length} ${act.done}, ${refused.length} refused${untried > 0 ? `, ${untried} not tried` : ""}.`
          : `${tried} of ${of} done…`}
      </p>
      {!isOver && <progress max={of} value={tried} aria-label="Done" />}
      {refused.length > 0 && (
        <ul className={styles["refused"]}>
          {refused.map(({ key, why }) => (
            <li key={key}>
              <strong>{nameOf(key)}</strong>: {why}
            </li>
          ))}
        </ul>
      )}
      <ModalActions>
        {isOver ? (
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button onClick={onStop}>Stop</Button>
        )}
      </ModalActions>
    </Modal>
  );
}

interface BulkBarProps {
  readonly selection: RowSelection;
  /** The buttons of the acts. */
  readonly children: ReactNode;
}

/** What can be done with the selected rows; nothing where none is. */
export function BulkBar({ selection, children }: BulkBarProps) {
  const { selected, keep } = selection;
  if (selected.length === 0) return null;
  return (
    <div role="toolbar" aria-label="Selected rows" className={styles["bulk"]}>
      <strong role="status">{selected.length} selected</strong>
      {children}
      <Button kind="quiet" onClick={() => keep([])}>
        Clear selection
      </Button>
    </div>
  );
}
