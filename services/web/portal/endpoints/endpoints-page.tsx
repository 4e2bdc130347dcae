import { useState } from "react";
import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { CreateDialog } from "./create-dialog.tsx";
import { endpointWords, type Endpoint } from "./endpoint-types.ts";
import styles from "./endpoints.module.css";
import { useEndpoints } from "./queries.ts";

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
      {isCreating && <CreateDialog onClose={() => setIsCreating(false)} />}
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
        {description !== null && <span className={styles["muted"]}> {description}</span>}
      </>
    ),
  },
  {
    title: "Status",
    cell: (endpoint) => {
      const [text, tone] = endpointWords(endpoint);
      return <Badge tone={tone}>{text}</Badge>;
    },
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
