import { durationMs, url } from "../config.ts";

/** Settings of a service with reads that may lag. */
export const readReplicaShape = {
  /** A streaming replica for them; absent: they use the primary. */
  DATABASE_READ_URL: url(["postgres", "postgresql"]).optional(),
  /** How far the replica may lag before the primary is used in its place. */
  DATABASE_READ_MAX_LAG: durationMs("10s"),
};

/** The replica's URL; one without a user has the login of the primary. */
export function withLoginOf(primaryUrl: string, replicaUrl: string): string {
  const replica = new URL(replicaUrl);
  if (replica.username !== "") return replicaUrl;
  const { username, password } = new URL(primaryUrl);
  replica.username = username;
  replica.password = password;
  return replica.href;
}
