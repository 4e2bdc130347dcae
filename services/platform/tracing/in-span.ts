import { AppError } from "../errors.ts";
import { runInSpan } from "./current-span.ts";
import type { SpanOptions, Tracing } from "./tracing.ts";

export interface NamedSpan extends SpanOptions {
  readonly name: string;
}

/** Runs work in a span of its own, which fails as the work does; without tracing just runs it. */
export async function inSpan<T>(
  tracing: Tracing | null,
  { name, ...options }: NamedSpan,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null) return work();
  const span = tracing.start(name, options);
  try {
    const result = await runInSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

/** The `error.type` of a span: the code of an error of ours, else the class. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : "unknown";
}
