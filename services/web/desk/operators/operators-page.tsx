import { useState } from "react";
import type { z } from "zod";
import type { operatorAnswer } from "../../../desk/operators/answers.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { withQuery } from "../../ui/http/request.ts";
import { useList } from "../../ui/http/use-read.ts";
import { Page } from "../../ui/page.tsx";
import { Paging } from "../../ui/paging.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useUrlFilters } from "../../ui/use-url-filters.ts";
import { useMay } from "../session/session.ts";
import { AddOperator } from "./add-operator.tsx";
import { EditOperator } from "./edit-operator.tsx";

export type Operator = z.output<typeof operatorAnswer>;

/** Who works at the desk, and by which tokens; for admins. */
export default function OperatorsPage() {
  return useMay("admin") ? (
    <Operators />
  ) : (
    <Empty title="For admins only">Ask an admin to change who works at the desk.</Empty>
  );
}

function Operators() {
  const { after, clear: toFirstPage } = useUrlFilters([]);
  const query = { starting_after: after, limit: 50 };
  const list = useList<Operator>("operators", withQuery("/desk/v1/operators", query));
  const [isAdding, setIsAdding] = useState(false);
  const [editedId, setEditedId] = useState<string | null>(null);
  const edited = list.data?.data.find(({ id }) => id === editedId);
  const columns: readonly Column<Operator>[] = [
    { title: "Name", cell: ({ name }) => name },
    { title: "Role", cell: ({ role }) => role },
    {
      title: "Access",
      cell: ({ active }) =>
        active ? <Badge tone="good">active</Badge> : <Badge tone="neutral">inactive</Badge>,
    },
    {
      title: "Tokens",
      cell: ({ tokens }) => tokens.filter(({ revoked_at }) => revoked_at === null).length,
      align: "right",
      isMinor: true,
    },
    { title: "Since", cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
    {
      title: "",
      cell: ({ id, name }) => (
        <Button kind="quiet" aria-label={`Change ${name}`} onClick={() => setEditedId(id)}>
          Change
        </Button>
      ),
      align: "right",
    },
  ];
  return (
    <Page
      title="Operators"
      actions={
        <Button kind="primary" onClick={() => setIsAdding(true)}>
          Add an operator
        </Button>
      }
    >
      <DataView query={list}>
        {({ data, has_more }) => (
          <>
            <Table caption="Operators" columns={columns} rows={data} keyOf={({ id }) => id} />
            <Paging last={data.at(-1)?.id} hasMore={has_more} />
          </>
        )}
      </DataView>
      {isAdding && (
        <AddOperator
          onAdded={({ id }) => {
            setIsAdding(false);
            // Where the newest are.
            toFirstPage();
            setEditedId(id);
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
      {edited !== undefined && <EditOperator operator={edited} onClose={() => setEditedId(null)} />}
    </Page>
  );
}
