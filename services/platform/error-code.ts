/** The code of an error of Node, a driver or a library, such as `ENOENT`; empty where it has none. */
export function errorCodeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
