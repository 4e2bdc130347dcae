import { useState } from "react";
import { BulkBar, useBulk } from "../../../ui/bulk.tsx";
import { Button } from "../../../ui/button.tsx";
import { counted } from "../../../ui/list-rules.ts";
import { useSelection } from "../../../ui/selection.tsx";
import { useMay } from "../../session.ts";
import { AssignDialog } from "../assign-dialog.tsx";
import { orderTitle, PATH } from "../reviews.ts";
import type { SteadyRow } from "./steady-rows.ts";

/** The selected cases of the queue, and what a reviewer or a lead does with all of them. */
export function useBulkCases(rows: readonly SteadyRow[]) {
  const selection = useSelection(rows.flatMap((row) => (row.isGone ? [] : [row.order_id])));
  const [isAssigning, setIsAssigning] = useState(false);
  const mayAssign = useMay("lead");
  const mayRelease = useMay("reviewer");
  const nameOf = (id: string): string =>
    orderTitle(id, rows.find((row) => row.order_id === id)?.customer_reference ?? "");
  const bulk = useBulk({ selection, one: "case", nameOf, refreshes: ["reviews"] });
  const act = (verb: string, done: string, body?: unknown): void => {
    const name = verb.toLowerCase();
    // Nobody looks at the cases that the answers have.
    const pathOf = (id: string): string => `${PATH}/${id}/${name}?masked=true`;
    bulk.start({ verb, done, commandFor: (id) => ({ path: pathOf(id), body: body ?? {} }) });
  };
  return {
    selecting: mayRelease
      ? { selection, nameOf: (row: SteadyRow) => nameOf(row.order_id) }
      : undefined,
    bar: (
      <>
        <BulkBar selection={selection}>
          {mayAssign && <Button onClick={() => setIsAssigning(true)}>Assign</Button>}
          <Button onClick={() => act("Release", "released")}>Release</Button>
        </BulkBar>
        {isAssigning && (
          <AssignDialog
            title={`Assign ${counted(selection.selected.length, "case")}`}
            description="The colleague holds them then, and sees that you assigned them. What whoever has one now has not sent is lost."
            without={null}
            isBusy={false}
            onAssign={(id) => {
              setIsAssigning(false);
              act("Assign", "assigned", { operator_id: id });
            }}
            onClose={() => setIsAssigning(false)}
          />
        )}
        {bulk.dialog}
      </>
    ),
  };
}
