import type { Page } from "playwright-core";
import { testPdf } from "../documents/test-document.ts";

const DAYS_AGO = 20 * 86_400_000;

/** Types what an order of local US numbers asks for into its page in the account's portal. */
export async function fillUsOrder(page: Page): Promise<void> {
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const address = (part: string) =>
    page.getByRole("group", { name: "Service address" }).getByLabel(part, { exact: true });
  const invoice = page.getByRole("group", { name: "Invoice of the losing carrier" });
  const file = { name: "invoice.pdf", mimeType: "application/pdf", buffer: testPdf("invoice") };
  await invoice.getByLabel("File").setInputFiles(file);
  const lately = new Date(Date.now() - DAYS_AGO).toISOString().slice(0, 10);
  await invoice.getByLabel("Date on the document").fill(lately);
  await field("Account number").fill("8772-114-90210");
  await field("Account holder").fill("Example Telecom Inc");
  await field("Authorized person").fill("Grace Hopper");
  await field("Billing telephone number").fill("(212) 555-0100");
  await address("Street and number").fill("1 Main Street");
  await address("City").fill("New York");
  await address("State").selectOption({ label: "New York" });
  await address("ZIP code").fill("10001");
}
