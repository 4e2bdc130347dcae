import PdfDocument from "pdfkit";

/** A PDF of one page that says that it is only a sample. */
export async function sampleDocument(title: string): Promise<Blob> {
  const pdf = new PdfDocument();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const whole = new Promise<void>((resolve, reject) => {
    pdf.on("end", resolve).on("error", reject);
  });
  pdf.on("data", (part: Buffer) => parts.push(new Uint8Array(part)));
  pdf.fontSize(18).text(`${title}: a sample for the certification of a carrier integration`);
  pdf.end();
  await whole;
  return new Blob(parts, { type: "application/pdf" });
}
