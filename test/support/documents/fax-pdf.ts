import { FAX_SIZE, FAX_TIFF } from "./fax-tiff.ts";

/** Where the first page's image stands in `FAX_TIFF`. */
const IMAGE = FAX_TIFF.subarray(8, 148).toString("latin1");

/** A PDF of one page that was scanned in black and white, without a table of its objects: readers make their own. */
export function faxPdf(): Buffer {
  const { width, height } = FAX_SIZE;
  const drawn = "q 612 0 0 459 0 100 cm /Im1 Do Q";
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /Im1 5 0 R >> >> >>",
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${width} /Rows ${height} >> /Length ${IMAGE.length} >>\nstream\n${IMAGE}\nendstream`,
  ];
  const body = objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join("");
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n`, "latin1");
}
