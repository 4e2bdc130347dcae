import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../ui/button.tsx";
import { Table, type Column } from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { EndpointState } from "../../ui/webhooks/endpoint-facts.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import styles from "./endpoints.module.css";
import { useEndpoints, type Endpoint } from "./endpoints.ts";

export default function EndpointsPage() {
  const [isCreating, setIsCreating] = useState(false);
  const query = useEndpoints();
  return (
    <Page
      title="Endpoints"
      actions={
        <Button kind="primary" onClick={() => setIsCreating(true)}>
          New endpoint
        </Button>
      }
    >
      <DataView query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No endpoints yet">
              An endpoint is an HTTPS address of yours that is told of every event. Create one to
              receive webhooks.
            </Empty>
          ) : (
            <Table caption="Endpoints" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
          )
        }
      </DataView>
      {isCreating && <EndpointForm onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: "Address",
    cell: ({ id, url, description }) => (
      <>
        <Link href={`/endpoints/${id}`} className={styles["url"]}>
          {url}
        </Link>
        {description !== null && <span className="muted"> {description}</span>}
      </>
    ),
  },
  {
    title: "Status",
    cell: (endpoint) => <EndpointState endpoint={endpoint} customer="you" />,
  },
  {
    title: "Events",
    cell: ({ enabled_events: types }) => (types.length === 0 ? "All" : types.length),
    isMinor: true,
  },
  {
    title: "Last success",
    cell: ({ last_success_at }) => <Time at={last_success_at} form="past" />,
  },
  {
    title: "Failures since",
    cell: ({ consecutive_failures: failures }) => failures,
    align: "right",
    isMinor: true,
  },
];
