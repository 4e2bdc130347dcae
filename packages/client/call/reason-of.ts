/** `fetch` says only that it failed; why is its error's cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  // OpenSSL's own text is a line of its source, with memory addresses.
  if (code.startsWith("ERR_SSL_")) return `TLS failed (${code}); the server may not speak TLS`;
  if (cause.message === "bad port") return "fetch calls no server at this port (bad port)";
  return [cause.message, code].find((text) => text !== "") ?? error.message;
}
