import type { Route } from "../http/routing/route.ts";

/** `GET /v2/things/:id` → `get_things_by_id`. */
export function operationIdOf<P>({ method, path }: Route<P>): string {
  const steps = path
    .split("/")
    .filter((step) => step !== "" && !/^v\d+$/.test(step))
    .map((step) => (step.startsWith(":") ? `by_${step.slice(1)}` : step));
  return [method.toLowerCase(), ...steps].join("_").replaceAll(/[^a-z0-9_]/g, "_");
}
