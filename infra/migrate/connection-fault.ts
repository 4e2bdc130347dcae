import { AppError } from "../../services/platform/errors.ts";

const BY_STATE: Readonly<Record<string, string>> = {
  "28P01": "Postgres refuses the user or the password of DATABASE_URL.",
  "28000": "Postgres does not let the user of DATABASE_URL log in to this database from here.",
  "3D000": "Postgres has no database of the name in DATABASE_URL: create it first.",
  "42501": "The user of DATABASE_URL may not connect to this database.",
  "53300": "Postgres has no connection left: its max_connections are in use.",
};

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: "The host of DATABASE_URL has no address.",
  EAI_AGAIN: "The host of DATABASE_URL cannot be looked up at the moment.",
  ECONNREFUSED: "Nothing listens at the host and port of DATABASE_URL.",
  ETIMEDOUT: "The host of DATABASE_URL does not answer.",
  EHOSTUNREACH: "The host of DATABASE_URL cannot be reached.",
  ENETUNREACH: "The host of DATABASE_URL cannot be reached.",
  ENOENT: "A file that DATABASE_URL names, such as sslrootcert, does not exist.",
  CERT_HAS_EXPIRED: "The certificate of Postgres has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate of Postgres is for another host.",
};

const NO_TLS =
  "Postgres does not encrypt, and DATABASE_URL asks for it by sslmode: turn TLS on there, or take sslmode=disable on a network of your own.";
const NEEDS_TLS = "Postgres admits encrypted connections alone: append ?sslmode=require.";
const UNTRUSTED =
  "The certificate of Postgres is not trusted: name its authority by sslrootcert in DATABASE_URL, or take sslmode=require, which does not verify it.";

/** Why a first connection failed, in a sentence without the URL, which has a password; anything else unchanged. */
export function connectionFault(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof AppError) return cause;
  const text = textOf(cause);
  return text === null ? cause : new AppError("invalid_config", text, { cause });
}

function textOf(error: Error): string | null {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (/no pg_hba\.conf entry.*no encryption/.test(error.message)) return NEEDS_TLS;
  if (/server does not support SSL/.test(error.message)) return NO_TLS;
  if (/SELF_SIGNED|UNABLE_TO|CERT_UNTRUSTED|CERT_SIGNATURE/.test(code)) return UNTRUSTED;
  if (/timeout expired|Connection terminated due to connection timeout/.test(error.message)) {
    return BY_CODE["ETIMEDOUT"] ?? null;
  }
  const first = error instanceof AggregateError ? (error.errors as unknown[])[0] : null;
  return BY_STATE[code] ?? BY_CODE[code] ?? (first instanceof Error ? textOf(first) : null);
}
