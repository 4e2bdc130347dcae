import { AppError } from "../errors.ts";

/**
 * The HTTP status in an error of the registry client, which reports a refused connection as 400; null for
 * its own errors.
 */
export function statusOf(error: unknown): number | null {
  const status = error instanceof Error && "status" in error ? error.status : null;
  return typeof status === "number" ? status : null;
}

export function unavailable(cause: unknown): AppError {
  const detail = "the schema registry is not responding properly";
  return new AppError("registry_unavailable", detail, { retryable: true, cause });
}
