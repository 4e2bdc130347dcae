import type { Filling } from "../../../packages/client/fill-order.ts";
import { testPdf } from "../documents/test-document.ts";

/** The catalogue's examples, and documents that say what they are; the letter is signed. */
export const WITH_TEST_DOCUMENTS: Filling = {
  valueFor: ({ example }) => example,
  documentFor: ({ slug }) =>
    slug === "loa" ? null : new File([new Uint8Array(testPdf(slug))], `${slug}.pdf`),
  signer: { signer_name: "Grace Hopper", signer_title: "Director" },
};
