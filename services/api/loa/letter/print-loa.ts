import type { ValueFault } from "../../requirements/check-value.ts";
import type {
  GainingCarrier,
  LoaContent,
  LoaSignature,
} from "../../../domain/order/rules/loa-content.ts";
import { renderLoa, unprintableIn, type RenderedLetter } from "./render-loa.ts";
import { readSignatureImage } from "../signature/signature-image.ts";

/** A letter to render, as plain data that can be passed between threads. */
export interface PrintJob {
  readonly content: LoaContent;
  readonly carrier: GainingCarrier;
  /** Null for a preview; `image` is as received and not checked yet. */
  readonly signature: (LoaSignature & { readonly image: Uint8Array | null }) | null;
  readonly printedAt: Date;
}

export type PrintAnswer =
  | ({ readonly kind: "letter" } & RenderedLetter)
  | ({ readonly kind: "bad_image"; readonly fault: ValueFault } & Pick<
      RenderedLetter,
      "unprintable"
    >);

/** Renders the letter; a signature image is checked in full before it is drawn. */
export async function printLoa(job: PrintJob): Promise<PrintAnswer> {
  const { signature } = job;
  if (signature === null) return { kind: "letter", ...(await renderLoa({ ...job, signature })) };
  const image = signature.image === null ? null : readSignatureImage(Buffer.from(signature.image));
  if (image !== null && "fault" in image) {
    return { kind: "bad_image", fault: image.fault, unprintable: unprintableIn(job) };
  }
  const drawn = { ...signature, image: image?.image ?? null };
  return { kind: "letter", ...(await renderLoa({ ...job, signature: drawn })) };
}
