import { AppError } from "../errors.ts";

/** The HTTP status in an error of the registry's client, which calls a refused connection a 400; null for its own. */
export function statusOf(error: unknown): number | null {
  const status = error instanceof Error && "status" in error ? error.status : null;
  return typeof status === "number" ? status : null;
}

export function unavailable(cause: unknown): AppError {
  const detail = "the schema registry gives no usable answer";
  return new AppError("registry_unavailable", detail, { retryable: true, cause });
}
