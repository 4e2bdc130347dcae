import { Problem } from "../../../ui/http/problem.ts";
import type { FormProps } from "./requirement-item.tsx";
import { orderPath, useOrderCommand } from "../queries.ts";

/** Writes a requirement; what the service says of the value is shown at the field. */
export function useField({ order, requirement, onDone }: FormProps) {
  const write = useOrderCommand();
  return {
    isBusy: write.isPending,
    error: write.error === null ? null : faultText(write.error),
    save: (body: unknown) =>
      write.run(
        { method: "PATCH", path: orderPath(order.id, `/requirements/${requirement.slug}`), body },
        { whileShown: onDone },
      ),
  };
}

/** The service's own sentences on what is wrong, all of them. */
export function faultText(error: Error): string {
  if (!(error instanceof Problem) || error.faults.length === 0) return error.message;
  return error.faults.map(({ detail }) => detail).join(" ");
}
