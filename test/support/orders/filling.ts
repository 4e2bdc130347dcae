import type { PortingClient } from "../../../packages/client/porting-client.ts";
import { testPdf } from "../documents/test-document.ts";

/** Gives a draft everything by the client's own methods, the signature last; returns the requirements as they were written. */
export async function fillByClient(client: PortingClient, orderId: string) {
  const { requirements } = await client.getPortingOrder(orderId);
  const open = requirements.filter(({ mandatory, slug }) => mandatory && slug !== "loa");
  const written = [];
  for (const { slug, field_type, example = "" } of open) {
    const file = new File([new Uint8Array(testPdf(slug))], `${slug}.pdf`);
    const document = { file, document_date: new Date().toISOString() };
    const body = field_type === "document" ? document : { field_value: example };
    written.push(await client.updatePortingOrderRequirement(orderId, slug, body));
  }
  const signer_name = requirements.find(({ slug }) => slug === "auth_person_name")?.example ?? "";
  await client.signLoa(orderId, { signer_name, consent: true });
  return written;
}
