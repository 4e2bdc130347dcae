import { z } from "zod";
import type { RegistryAccess } from "./registry-config.ts";
import { registryConnection } from "./registry-connection.ts";
import { unavailable } from "./registry-errors.ts";

const REQUEST_TIMEOUT_MS = 5_000;

const numbers = z.array(z.int());
const described = z.object({ id: z.int(), schema: z.string() });

/** A version of a subject, whoever registered it. */
export interface SubjectVersion {
  readonly version: number;
  readonly id: number;
  readonly text: string;
}

/** All versions of the subjects, by subject; of one that the registry lacks, none. @throws `registry_unavailable` */
export async function listVersions(
  access: RegistryAccess,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, readonly SubjectVersion[]>> {
  const { url, headers, ca } = registryConnection(access);
  // Loaded here, because this is rare and the package is large.
  const { Agent, fetch } = await import("undici");
  const dispatcher = new Agent(ca === null ? {} : { connect: { ca } });
  const read = async (path: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(url + path, { headers, dispatcher, signal }).catch(
      (error: unknown) => {
        throw unavailable(error);
      },
    );
    if (response.status === 404) return null;
    if (!response.ok) throw unavailable(await response.text());
    return response.json();
  };
  const versionsOf = async (subject: string): Promise<SubjectVersion[]> => {
    const path = `/subjects/${encodeURIComponent(subject)}/versions`;
    const found = numbers.nullable().parse(await read(path)) ?? [];
    const versions = found.map(async (version) => {
      const { id, schema } = described.parse(await read(`${path}/${version}`));
      return { version, id, text: schema };
    });
    return Promise.all(versions);
  };
  try {
    const found = subjects.map(async (subject) => [subject, await versionsOf(subject)] as const);
    return new Map(await Promise.all(found));
  } finally {
    await dispatcher.close();
  }
}
