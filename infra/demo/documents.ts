import PdfDocument from "pdfkit";

/** What a document of an order states. */
export interface Stated {
  readonly title: string;
  readonly issuer: string;
  readonly holder: string;
  readonly address: string;
  readonly accountNumber: string;
  readonly phoneNumbers: readonly string[];
}

/** A letter-like page with the values that the desk compares. */
export async function printDocument(stated: Stated): Promise<Blob> {
  const { title, issuer, holder, address, accountNumber, phoneNumbers } = stated;
  const pdf = new PdfDocument({ margin: 56 });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const whole = new Promise<void>((resolve, reject) => {
    pdf.on("end", resolve).on("error", reject);
  });
  pdf.on("data", (part: Buffer) => parts.push(new Uint8Array(part)));
  pdf.fontSize(20).fillColor("#1c3d5a").text(issuer);
  pdf.moveDown(0.3).fontSize(14).fillColor("#444444").text(title);
  pdf.moveDown(1.5).fontSize(11).fillColor("#000000");
  pdf.text(holder).text(address);
  pdf.moveDown().text(`Account number: ${accountNumber}`);
  pdf.text(`Date: ${new Date().toISOString().slice(0, 10)}`);
  pdf.moveDown().fontSize(12).text("Services");
  pdf.moveDown(0.4).fontSize(10);
  for (const [n, phoneNumber] of phoneNumbers.entries()) {
    pdf.text(`${phoneNumber}   Business line   ${(19.5 + n * 4).toFixed(2)}`);
  }
  pdf.moveDown().fontSize(9).fillColor("#666666").text("Made for a demonstration. Not an invoice.");
  pdf.end();
  await whole;
  return new Blob(parts, { type: "application/pdf" });
}
