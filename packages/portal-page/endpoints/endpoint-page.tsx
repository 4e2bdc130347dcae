import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { otherFaults } from "../../ui/http/request.ts";
import { Confirm, FormModal, Modal, ModalActions, SecretDialog } from "../../ui/modal.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView, Failure } from "../../ui/states.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { endpointFacts, PausedNote } from "../../ui/webhooks/endpoint-facts.tsx";
import { TYPE_OPTIONS } from "../../ui/webhooks/event-types.ts";
import type { Delivery } from "../../ui/webhooks/webhook-words.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import styles from "./endpoints.module.css";
import {
  endpointPath,
  recoveryPath,
  useEndpoint,
  useEndpointCommand,
  useRecovery,
  type Endpoint,
  type Recovery,
  type RotatedSecret,
} from "./endpoints.ts";

const OVERLAPS = [
  [0, "Not at all: it may be known to others"],
  [3_600, "1 hour"],
  [86_400, "1 day"],
  [604_800, "7 days"],
] as const;
const USUAL_OVERLAP = "86400";

interface DialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

function RotateDialog({ id, onClose }: DialogProps) {
  const [overlap, setOverlap] = useState(USUAL_OVERLAP);
  const rotate = useEndpointCommand<RotatedSecret>();
  if (rotate.data !== undefined) {
    const secrets = [["New signing secret", rotate.data.signing_secret]] as const;
    return <SecretDialog title="The secret is rotated" {...{ secrets, onClose }} />;
  }
  const onRotate = (): void =>
    rotate.run({
      path: endpointPath(id, "/rotate_secret"),
      body: { overlap_seconds: Number(overlap) },
    });
  return (
    <FormModal
      title="Rotate the signing secret"
      description="A new secret signs from now on. While they overlap, webhooks carry both signatures."
      verb="Rotate"
      leave="Not now"
      isHeld={rotate.isPending}
      isBusy={rotate.isPending}
      onSubmit={onRotate}
      onClose={onClose}
    >
      {rotate.error !== null && <Failure error={rotate.error} />}
      <SelectField
        label="The previous secret signs too for"
        options={OVERLAPS}
        value={overlap}
        onChange={setOverlap}
      />
    </FormModal>
  );
}

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

/** Sends again what an endpoint missed: counted first, sent only after that. */
function RecoverDialog({ id, onClose }: DialogProps) {
  const [since, setSince] = useState(() => localText(Date.now() - DAY_MS));
  const [until, setUntil] = useState("");
  const [mode, setMode] = useState<string>("failed");
  const count = useEndpointCommand<Recovery>();
  const send = useEndpointCommand<Recovery>();
  const bodyOf = (dryRun: boolean) => ({
    path: endpointPath(id, "/recover"),
    body: {
      since: new Date(since).toISOString(),
      until: until === "" ? null : new Date(until).toISOString(),
      mode,
      dry_run: dryRun,
    },
  });
  /** What was counted is not what would be sent any more. */
  const changing =
    (set: (text: string) => void) =>
    (text: string): void => {
      set(text);
      count.reset();
    };
  const error = count.error ?? send.error;
  return (
    <Modal
      title="Recover events"
      description="Events are sent to this endpoint again; new ones go first. Receivers tell repeats by the event's id."
      onClose={onClose}
    >
      {error !== null && <Failure error={error} />}
      <TextField
        label="Since"
        type="datetime-local"
        required
        value={since}
        onChange={changing(setSince)}
      />
      <TextField
        label="Until"
        hint="Now, unless given"
        type="datetime-local"
        value={until}
        onChange={changing(setUntil)}
      />
      <SelectField label="Which events" options={MODES} value={mode} onChange={changing(setMode)} />
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

const RECOVERY_WORDS = { running: "Sending", completed: "Done", cancelled: "Stopped" } as const;

function Progress({ id }: { readonly id: string }) {
  const { data } = useRecovery(id);
  const stop = useEndpointCommand();
  if (data === undefined) return null;
  const { status, total, succeeded, failed } = data;
  const onStop = (): void => stop.run({ method: "DELETE", path: recoveryPath(id) });
  return (
    <p className={styles["progress"]}>
      {RECOVERY_WORDS[status]}: {succeeded} of {total} delivered
      {failed > 0 && `, ${failed} failed`}.{" "}
      {status === "running" && (
        <Button isBusy={stop.isPending} onClick={onStop}>
          Stop
        </Button>
      )}
    </p>
  );
}

export default function EndpointPage({ id }: { readonly id: string }) {
  return <DataView query={useEndpoint(id)}>{(endpoint) => <Shown {...{ endpoint }} />}</DataView>;
}

type Dialog = "none" | "edit" | "test" | "rotate" | "recover" | "delete";

function Shown({ endpoint }: { readonly endpoint: Endpoint }) {
  const [dialog, setDialog] = useState<Dialog>("none");
  const { id, url, active } = endpoint;
  const props = { id, onClose: () => setDialog("none") };
  return (
    <Page
      title={url}
      actions={
        <>
          <Button onClick={() => setDialog("edit")}>Edit</Button>
          {active && <Button onClick={() => setDialog("test")}>Send a test</Button>}
          <PauseButton endpoint={endpoint} />
          <Button onClick={() => setDialog("rotate")}>Rotate secret</Button>
          {active && <Button onClick={() => setDialog("recover")}>Recover</Button>}
          <Button onClick={() => setDialog("delete")}>Delete</Button>
        </>
      }
    >
      <PausedNote endpoint={endpoint} />
      <Card>
        <Facts facts={endpointFacts(endpoint, "you")} />
      </Card>
      {dialog === "edit" && <EndpointForm endpoint={endpoint} onClose={props.onClose} />}
      {dialog === "test" && <TestDialog {...props} />}
      {dialog === "rotate" && <RotateDialog {...props} />}
      {dialog === "recover" && <RecoverDialog {...props} />}
      {dialog === "delete" && <DeleteDialog {...props} />}
    </Page>
  );
}

const FIRST_TYPE = [["", "The first that it is told of"], ...TYPE_OPTIONS] as const;

/** Sends a sample event, and shows the delivery that tells what came of it. */
function TestDialog({ id, onClose }: DialogProps) {
  const [type, setType] = useState("");
  const [, navigate] = useLocation();
  const test = useEndpointCommand<Delivery>();
  const onTest = (): void =>
    test.run(
      { path: endpointPath(id, "/test"), body: type === "" ? {} : { event_type: type } },
      { whileShown: (delivery) => navigate(`/deliveries/${delivery.id}`) },
    );
  return (
    <FormModal
      title="Send a test"
      description="A sample event, of objects that do not exist. What becomes of it is shown next."
      verb="Send"
      isBusy={test.isPending}
      fault={otherFaults(test.error, [])}
      onSubmit={onTest}
      onClose={onClose}
    >
      <SelectField label="Event" options={FIRST_TYPE} value={type} onChange={setType} />
    </FormModal>
  );
}

function DeleteDialog({ id, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const remove = useEndpointCommand();
  const toasts = useToasts();
  const onConfirm = (): void =>
    remove.run(
      { method: "DELETE", path: endpointPath(id) },
      {
        onDone: () => toasts.done("The endpoint is deleted"),
        whileShown: () => navigate("/endpoints"),
      },
    );
  return (
    <Confirm
      title="Delete the endpoint?"
      verb="Delete"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      {...{ onConfirm, onClose }}
    >
      <p>
        Nothing is sent to it any more; what waits is cancelled. Its deliveries stay in the list.
      </p>
    </Confirm>
  );
}

function PauseButton({ endpoint: { id, active } }: { readonly endpoint: Endpoint }) {
  const change = useEndpointCommand();
  const toasts = useToasts();
  const onClick = (): void =>
    change.run(
      { method: "PATCH", path: endpointPath(id), body: { active: !active } },
      {
        onDone: () => toasts.done(active ? "The endpoint is paused" : "The endpoint is active"),
        onFailed: toasts.failed,
      },
    );
  return (
    <Button isBusy={change.isPending} onClick={onClick}>
      {active ? "Pause" : "Resume"}
    </Button>
  );
}
