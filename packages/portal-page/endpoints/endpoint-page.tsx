import { useState } from "react";
import { Link, useLocation } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormModal, Modal, ModalActions, SecretDialog } from "../../ui/modal.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import type { Delivery } from "../deliveries/deliveries.ts";
import styles from "./endpoints.module.css";
import {
  endpointPath,
  endpointWords,
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
      <TextField
        label="Since"
        type="datetime-local"
        required
        value={since}
        onChange={(text) => {
          setSince(text);
          count.reset();
        }}
      />
      <SelectField
        label="Which events"
        options={MODES}
        value={mode}
        onChange={(name) => {
          setMode(name);
          count.reset();
        }}
      />
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

export default function EndpointPage({ id }: { readonly id: string }) {
  return <DataView query={useEndpoint(id)}>{(endpoint) => <Shown {...{ endpoint }} />}</DataView>;
}

type Dialog = "none" | "rotate" | "recover";

function Shown({ endpoint }: { readonly endpoint: Endpoint }) {
  const [dialog, setDialog] = useState<Dialog>("none");
  const close = (): void => setDialog("none");
  return (
    <Page
      title={endpoint.url}
      actions={
        <>
          {endpoint.active && <TestButton id={endpoint.id} />}
          <PauseButton endpoint={endpoint} />
          <Button onClick={() => setDialog("rotate")}>Rotate secret</Button>
          {endpoint.active && <Button onClick={() => setDialog("recover")}>Recover</Button>}
        </>
      }
    >
      {endpoint.paused_reason !== null && (
        <p className={styles["paused"]}>
          <strong>Paused by the service: </strong>
          {endpoint.paused_reason} What happens meanwhile is skipped. Mend the receiver, resume the
          endpoint, and recover what it missed.
        </p>
      )}
      <Card>
        <EndpointFacts endpoint={endpoint} />
      </Card>
      {dialog === "rotate" && <RotateDialog id={endpoint.id} onClose={close} />}
      {dialog === "recover" && <RecoverDialog id={endpoint.id} onClose={close} />}
    </Page>
  );
}

/** Sends a sample event, and shows the delivery that tells what came of it. */
function TestButton({ id }: { readonly id: string }) {
  const [, navigate] = useLocation();
  const test = useEndpointCommand<Delivery>();
  const toasts = useToasts();
  const onTest = (): void =>
    test.run(
      { path: endpointPath(id, "/test") },
      {
        whileShown: (delivery) => navigate(`/deliveries/${delivery.id}`),
        onFailed: toasts.failed,
      },
    );
  return (
    <Button isBusy={test.isPending} onClick={onTest}>
      Send a test
    </Button>
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

function EndpointFacts({ endpoint }: { readonly endpoint: Endpoint }) {
  const [text, tone] = endpointWords(endpoint);
  const { enabled_events: types, max_per_second: pace } = endpoint;
  return (
    <Facts
      facts={[
        [
          "Status",
          <Badge key="status" tone={tone}>
            {text}
          </Badge>,
        ],
        ["Description", endpoint.description ?? "–"],
        ["Events", types.length === 0 ? "All" : types.join(", ")],
        ["At most", pace === null ? "No limit" : `${pace} a second`],
        ["Last success", <Time key="success" at={endpoint.last_success_at} form="past" />],
        ["Last failure", <Time key="failure" at={endpoint.last_failure_at} form="past" />],
        ["Failures since the last success", endpoint.consecutive_failures],
        [
          "Deliveries",
          <Link key="deliveries" href={`/deliveries?webhook_endpoint_id=${endpoint.id}`}>
            Deliveries to this endpoint
          </Link>,
        ],
      ]}
    />
  );
}
