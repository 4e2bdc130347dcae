import { Problem } from "./problem.ts";

/** What the service says of one field of a body, by its JSON pointer: `#/foc_at`; null if it is fine. */
export function faultAt(error: unknown, pointer: string): string | null {
  const fault = faultsOf(error).find((one) => isAt(one.pointer, pointer));
  return fault?.detail ?? null;
}

/** What the service says of no field in `pointers`, which the form has to show elsewhere. */
export function otherFaults(error: unknown, pointers: readonly string[]): string | null {
  if (error === null || error === undefined) return null;
  const faults = faultsOf(error);
  if (faults.length === 0) return error instanceof Error ? error.message : "It failed.";
  const others = faults.filter((one) => !pointers.some((pointer) => isAt(one.pointer, pointer)));
  return others.length === 0 ? null : others.map(({ detail }) => detail).join(" ");
}

function faultsOf(error: unknown) {
  return error instanceof Problem ? error.faults : [];
}

function isAt(given: string | undefined, pointer: string): boolean {
  return given === pointer || given?.startsWith(`${pointer}/`) === true;
}
