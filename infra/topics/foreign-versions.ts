import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { RELEASED_SCHEMAS } from "../../services/messages/generated/released-schemas.ts";
import type { PlannedSubject } from "../../services/messages/topic-plan.ts";
import {
  askRegistry,
  registryConnection,
  unavailable,
  type RegistryAccess,
} from "../../services/platform/avro/registry-connection.ts";

const numbers = z.array(z.int());
const described = z.object({ id: z.int(), schema: z.string() });

/** A version of a subject, whoever registered it. */
interface SubjectVersion {
  readonly version: number;
  readonly id: number;
  readonly text: string;
}

/** All versions of the subjects, by subject; of one that the registry lacks, none. @throws `registry_unavailable` */
async function listVersions(
  access: RegistryAccess,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, readonly SubjectVersion[]>> {
  const connection = registryConnection(access);
  const read = async (path: string): Promise<unknown> => {
    const { status, text } = await askRegistry(connection, path);
    if (status === 404) return null;
    if (status !== 200) throw unavailable(text);
    return JSON.parse(text ?? "null");
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
  const found = subjects.map(async (subject) => [subject, await versionsOf(subject)] as const);
  return new Map(await Promise.all(found));
}

const record = z.object({ name: z.string() });

/**
 * A line for each version of a subject that no release of ours has: a client registered it, and another that writes with the
 * subject's latest version takes it for ours. @throws `registry_unavailable`
 */
export async function warnOfForeignVersions(
  access: RegistryAccess,
  subjects: readonly PlannedSubject[],
): Promise<string[]> {
  const versions = await listVersions(
    access,
    subjects.map(({ subject }) => subject),
  );
  return subjects.flatMap(({ subject, text }) =>
    foreignVersions(text, versions.get(subject) ?? []).map(
      ({ version, id }) =>
        `subjects: warning: version ${version} of ${subject} (id ${id}) is not of this product: a client registered it. Set auto.register.schemas=False there (docs/carriers.md, Topics), and remove it by DELETE /subjects/${subject}/versions/${version} once nothing is written with it.`,
    ),
  );
}

/** Those that are neither the schema with this text nor a released version of it. */
export function foreignVersions(
  text: string,
  versions: readonly SubjectVersion[],
): SubjectVersion[] {
  const { name } = record.parse(JSON.parse(text));
  const ours = [text, ...(RELEASED_SCHEMAS[name] ?? [])].map(parse);
  return versions.filter(({ text: other }) => {
    const found = parse(other);
    return !ours.some((one) => isDeepStrictEqual(one, found));
  });
}

function parse(text: string): unknown {
  return JSON.parse(text);
}
