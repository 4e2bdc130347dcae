import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { Failure } from "../../ui/states.tsx";
import type { Recovery } from "./endpoint-types.ts";
import styles from "./endpoints.module.css";
import { endpointPath, useEndpointCommand, useRecovery } from "./queries.ts";

const MODES = [
  ["failed", "Those whose delivery failed"],
  ["missing", "Those that were skipped or never sent"],
  ["all", "All"],
] as const;

const DAY_MS = 86_400_000;
const LAST_MINUTE = 16;

/** A time as `<input type="datetime-local">` has it, in the browser's zone. */
function localText(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, LAST_MINUTE);
}

interface RecoverDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Sends again what an endpoint missed: counted first, sent only after that. */
export function RecoverDialog({ id, onClose }: RecoverDialogProps) {
  const [since, setSince] = useState(() => localText(Date.now() - DAY_MS));
  const [mode, setMode] = useState<string>("failed");
  const count = useEndpointCommand<Recovery>();
  const send = useEndpointCommand<Recovery>();
  const bodyOf = (dryRun: boolean) => ({
    path: endpointPath(id, "/recover"),
    body: { since: new Date(since).toISOString(), mode, dry_run: dryRun },
  });
  const error = count.error ?? send.error;
  return (
    <Modal
      title="Recover events"
      description="Events are sent to this endpoint again; new ones go first. Receivers tell repeats by the event's id."
      onClose={onClose}
    >
      {error !== null && <Failure error={error} />}
      <Field label="Since">
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            required
            value={since}
            onChange={(event) => {
              setSince(event.target.value);
              count.reset();
            }}
          />
        )}
      </Field>
      <Field label="Which events">
        {(control) => (
          <select
            {...control}
            value={mode}
            onChange={(event) => {
              setMode(event.target.value);
              count.reset();
            }}
          >
            {MODES.map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div role="status">
        {count.data !== undefined && send.data === undefined && (
          <p>{countText(count.data.total)} Nothing was sent yet.</p>
        )}
        {send.data !== undefined && <Progress id={send.data.id} />}
      </div>
      <ModalActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          isBusy={count.isPending}
          disabled={since === "" || send.data !== undefined}
          onClick={() => count.mutate(bodyOf(true))}
        >
          Count first
        </Button>
        <Button
          kind="primary"
          isBusy={send.isPending}
          disabled={(count.data?.total ?? 0) === 0 || send.data !== undefined}
          onClick={() => send.run(bodyOf(false))}
        >
          Send {count.data?.total ?? ""} again
        </Button>
      </ModalActions>
    </Modal>
  );
}

function countText(total: number): string {
  return total === 1 ? "1 event would be sent." : `${total} events would be sent.`;
}

function Progress({ id }: { readonly id: string }) {
  const { data } = useRecovery(id);
  if (data === undefined) return null;
  const { status, total, succeeded, failed } = data;
  return (
    <p className={styles["progress"]}>
      {status === "running" ? "Sending: " : "Done: "}
      {succeeded} of {total} delivered{failed > 0 && `, ${failed} failed`}.
    </p>
  );
}
