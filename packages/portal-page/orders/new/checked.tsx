import { useRead } from "../../../ui/http/read.ts";
import { Button } from "../../../ui/button.tsx";
import { withQuery, type Page } from "../../../ui/http/request.ts";
import { counted } from "../../../ui/list-rules.ts";
import { Table, type Column } from "../../../ui/list.tsx";
import { Card } from "../../../ui/page.tsx";
import { DataView } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { kindOf, type Requirement } from "../order-words.ts";
import type { Group, NumberFault } from "./typed-numbers.ts";

const FAULTS: readonly Column<NumberFault>[] = [
  { title: "Number", cell: ({ number }) => <span className="as-written">{number}</span> },
  { title: "Why", cell: ({ why }) => why },
];

interface FaultsProps {
  readonly faults: readonly NumberFault[];
  readonly onLeaveOut?: () => void;
}

/** Which numbers cannot be ordered, and why. */
export function Faults({ faults, onLeaveOut }: FaultsProps) {
  return (
    <Card title={`${counted(faults.length, "number")} cannot be ordered`}>
      <Table
        caption="Numbers that cannot be ordered"
        columns={FAULTS}
        rows={faults}
        keyOf={({ number }) => number}
      />
      {onLeaveOut !== undefined && (
        <div>
          <Button onClick={onLeaveOut}>Leave out {counted(faults.length, "number")}</Button>
        </div>
      )}
    </Card>
  );
}

/** The orders that the numbers become, and what each will ask for. */
export function Groups({ groups }: { readonly groups: readonly Group[] }) {
  return (
    <Card title={`${counted(groups.length, "order")} will be created`}>
      {groups.length > 1 && (
        <p className="muted">
          An order has numbers of one country, one type and one losing carrier.
        </p>
      )}
      <ul className="entries">
        {groups.map((group) => (
          <GroupItem key={group.numbers[0]} group={group} />
        ))}
      </ul>
    </Card>
  );
}

const FEW = 3;

function GroupItem({ group }: { readonly group: Group }) {
  const { numbers, losing_carrier: carrier, earliest_foc: earliest } = group;
  const rest = numbers.slice(FEW);
  return (
    <li>
      <h3>
        {kindOf(group)}, {counted(numbers.length, "number")}, from{" "}
        {carrier ?? "a carrier that is not known yet"}
      </h3>
      <span>{numbers.slice(0, FEW).join(", ")}</span>
      {rest.length > 0 && (
        <details>
          <summary className="muted">{rest.length} more</summary>
          {rest.join(", ")}
        </details>
      )}
      {earliest !== null && (
        <span>
          Earliest date, if it were submitted now: <Time at={earliest} form="zoned" />
        </span>
      )}
      <Needed group={group} />
    </li>
  );
}

type Asked = Pick<Requirement, "slug" | "name" | "mandatory">;

function Needed({ group: { country_code, number_type } }: { readonly group: Group }) {
  const path = withQuery("/v2/porting_requirements", { country_code, number_type });
  const namesOf = (asked: readonly Asked[]): string => asked.map(({ name }) => name).join(", ");
  return (
    <DataView query={useRead<Page<Asked>>("porting-requirements", path)}>
      {({ data }) => {
        const optional = data.filter(({ mandatory }) => !mandatory);
        return (
          <>
            <span>It will ask for: {namesOf(data.filter(({ mandatory }) => mandatory))}.</span>
            {optional.length > 0 && <span className="muted">Optional: {namesOf(optional)}.</span>}
          </>
        );
      }}
    </DataView>
  );
}
