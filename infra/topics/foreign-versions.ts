import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { RELEASED_SCHEMAS } from "../../services/messages/generated/released-schemas.ts";
import type { PlannedSubject } from "../../services/messages/topic-plan.ts";
import { listVersions, type SubjectVersion } from "../../services/platform/avro/list-versions.ts";
import type { RegistryAccess } from "../../services/platform/avro/registry-config.ts";

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
