import { Problem } from "../../../ui/http/problem.ts";
import type { Fetch } from "../../../ui/http/request.ts";
import type { Order, Requirement } from "../order-types.ts";
import { orderPath, useOrderCommand } from "../queries.ts";
import type { FormProps } from "./requirement-item.tsx";

interface Saving {
  /** In place of `fetch`. */
  readonly via?: Fetch;
  /** Also where the form is no longer shown. */
  readonly onSaved?: () => void;
}

/** Writes a requirement; what the service says of the value is shown at the field. */
export function useField({ order, requirement, onDone }: FormProps) {
  const write = useOrderCommand();
  const path = orderPath(order.id, `/requirements/${requirement.slug}`);
  return {
    isBusy: write.isPending,
    error: write.error === null ? null : faultText(write.error),
    save: (body: unknown, { via, onSaved }: Saving = {}) =>
      write.run(
        { method: "PATCH", path, body, ...(via === undefined ? {} : { via }) },
        { onDone: () => onSaved?.(), whileShown: onDone },
      ),
  };
}

/** Under which the tab keeps what is typed into a field until it is saved. */
export function fieldKey({ id }: Pick<Order, "id">, { slug }: Pick<Requirement, "slug">): string {
  return `field:${id}:${slug}`;
}

/** Where the service's own sentence is for programs. */
const WORDS: Readonly<Record<string, string>> = {
  invalid_number:
    "It is not a valid phone number. Write it with its area code, as it stands on the bill.",
};

/** The service's own sentences on what is wrong, all of them. */
export function faultText(error: Error): string {
  if (!(error instanceof Problem) || error.faults.length === 0) return error.message;
  return error.faults.map(({ code, detail }) => WORDS[code] ?? detail).join(" ");
}
