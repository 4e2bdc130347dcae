import { Link } from "wouter";
import { Button } from "../../ui/button.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useRead } from "../../ui/http/read.ts";
import { Card, Facts, Page, type Fact } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { endpointFacts, PausedNote } from "../../ui/webhooks/endpoint-facts.tsx";
import type { ScreenProps } from "../screens.tsx";
import { useMay } from "../session.ts";
import { AccountLink } from "./account-link.tsx";
import { ENDPOINTS_PATH, type Endpoint } from "./webhooks.ts";

/** A webhook endpoint of any account: its state, what failed last, what waits. */
export default function EndpointPage({ params: { id = "" } }: ScreenProps) {
  const query = useRead<Endpoint>("webhooks", `${ENDPOINTS_PATH}/${id}`);
  const mayResume = useMay("lead");
  return (
    <DataView query={query}>
      {(endpoint) => (
        <Page
          title={endpoint.url}
          actions={mayResume && !endpoint.active && <ResumeButton id={id} />}
        >
          <PausedNote endpoint={endpoint} />
          <Card>
            <Facts facts={[...factsOf(endpoint), ...endpointFacts(endpoint, "the customer")]} />
          </Card>
        </Page>
      )}
    </DataView>
  );
}

function factsOf({
  account,
  failing_since: since,
  oldest_undelivered,
  last_error,
}: Endpoint): Fact[] {
  return [
    ["Account", <AccountLink key="account" account={account} />],
    ["Failing since", <Time key="since" at={since} form="past" />],
    [
      "Oldest undelivered",
      oldest_undelivered === null ? (
        "–"
      ) : (
        <Link href={`/deliveries/${oldest_undelivered.delivery_id}`}>
          <Time at={oldest_undelivered.created_at} form="past" />
        </Link>
      ),
    ],
    [
      "Last error",
      last_error === null ? (
        "–"
      ) : (
        <Link href={`/deliveries/${last_error.delivery_id}`}>{last_error.message}</Link>
      ),
    ],
  ];
}

function ResumeButton({ id }: { readonly id: string }) {
  const command = useCommand({ refreshes: ["webhooks"] });
  const toasts = useToasts();
  const onClick = (): void =>
    command.run(
      { path: `${ENDPOINTS_PATH}/${id}/resume` },
      {
        onDone: () =>
          toasts.done("The endpoint is resumed", "What was skipped meanwhile is not sent by that."),
        onFailed: toasts.failed,
      },
    );
  return (
    <Button kind="primary" isBusy={command.isPending} onClick={onClick}>
      Resume
    </Button>
  );
}
