import { useState } from "react";
import { Link, useLocation } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import type { Delivery } from "../deliveries/delivery-types.ts";
import { endpointWords, type Endpoint } from "./endpoint-types.ts";
import styles from "./endpoints.module.css";
import { endpointPath, useEndpoint, useEndpointCommand } from "./queries.ts";
import { RecoverDialog } from "./recover-dialog.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";

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
