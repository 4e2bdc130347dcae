import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import { openRequester, type PortOutRef, type Requester } from "../rules/requester.ts";

interface RequesterRow extends PortOutRef {
  readonly requester: Buffer;
  readonly requester_key_id: string;
}

/** The port-outs with what their carriers state, in one statement for all of them. */
export async function withRequesters<P extends PortOutRef>(
  { db, box }: { readonly db: Queryable; readonly box: SecretBox },
  portOuts: readonly P[],
): Promise<(P & { readonly requester: Requester | null })[]> {
  if (portOuts.length === 0) return [];
  const rows = await queryRows<RequesterRow>(db, {
    name: "port-out-requesters",
    text: `select r.provider, r.port_out_ref, r.requester, r.requester_key_id
      from unnest($1::text[], $2::text[]) u (provider, port_out_ref)
      join carriers.port_out_requests r using (provider, port_out_ref) where r.requester is not null`,
    values: [portOuts.map((one) => one.provider), portOuts.map((one) => one.port_out_ref)],
  });
  const keyOf = (ref: PortOutRef): string => JSON.stringify([ref.provider, ref.port_out_ref]);
  const stated = new Map(
    rows.map(({ requester: bytes, requester_key_id: keyId, ...ref }) => [
      keyOf(ref),
      openRequester(box, ref, { bytes, keyId }),
    ]),
  );
  return portOuts.map((one) => ({ ...one, requester: stated.get(keyOf(one)) ?? null }));
}
