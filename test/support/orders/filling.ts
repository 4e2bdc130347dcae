import type { Filling } from "../../../packages/client/fill-order.ts";
import { testPdf } from "../documents/test-document.ts";

/** Documents that say what they are; the letter is signed. */
export const WITH_TEST_DOCUMENTS: Filling = {
  documentOf: ({ slug }) =>
    slug === "loa" ? null : new File([new Uint8Array(testPdf(slug))], `${slug}.pdf`),
};
