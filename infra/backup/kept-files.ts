/**
 * What a data folder has beside the database, and what a restored one is without it. The book names each
 * (docs/operations.md, Backup and restore).
 */
export const KEPT_FILES = {
  "postgres-password": "the commands cannot log in",
  "secrets.key": "encrypted values are lost, and API and desk do not start",
  "kafka-users.json": "every user of Kafka, the carriers' too, gets a new password",
  "registry-logins.json": "the users of the schema registry get new passwords",
  "bootstrap.json": "the first account's key and the first operator's token are issued again",
  documents: "customers' documents are gone",
} as const;

/** What to copy into a restored folder, for its operator. */
export function keptFilesLines(): string[] {
  return [
    "Copy these into it first; without",
    ...Object.entries(KEPT_FILES).map(([name, loss]) => `  ${name.padEnd(22)}${loss}`),
  ];
}
