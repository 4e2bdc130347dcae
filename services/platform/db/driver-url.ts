/**
 * The URL as the driver has to read it: by itself it takes `require` and `prefer`, which managed Postgres puts into its URLs, for
 * `verify-full`, with a warning. Elsewhere they encrypt, and verify only by a certificate authority that the URL names.
 */
export function driverUrl(url: string): string {
  const connection = new URL(url);
  const { searchParams: settings } = connection;
  const mode = settings.get("sslmode") ?? "";
  if (!["require", "prefer", "verify-ca"].includes(mode) || settings.has("uselibpqcompat")) {
    return url;
  }
  // Without an authority, anybody may have a certificate that the public ones signed.
  if (mode === "verify-ca" && !settings.has("sslrootcert")) settings.set("sslmode", "verify-full");
  else settings.set("uselibpqcompat", "true");
  return connection.href;
}
