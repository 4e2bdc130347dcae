import { z } from "zod";
import { CUSTOMER_COMMENTS, HOLDERS, SIGNERS, type Chance, type Story } from "./stories.ts";
import { waitFor, type Client, type DemoAccount } from "./demo-client.ts";
import { printDocument, type Stated } from "./documents.ts";

/** A kind of order, as the demo plays it. */
interface DemoKind {
  readonly weight: number;
  readonly numberType?: string;
  readonly losingCarriers: readonly [string, ...string[]];
  /** What a number begins with, and how many digits follow. */
  readonly prefixes: readonly [string, ...string[]];
  readonly digits: number;
  readonly addresses: readonly [string, ...string[]];
}

const US = [
  "1200 Congress Ave Suite 410\nAustin\nTX 78701\nUS",
  "88 Kearny St Floor 3\nSan Francisco\nCA 94108\nUS",
  "415 N Dearborn St\nChicago\nIL 60654\nUS",
  "2300 Lakeview Pkwy\nDenver\nCO 80202\nUS",
] as const;
const GB = [
  "14 Borough High Street\nLondon\nSE1 9QG\nGB",
  "3 Mosley Street\nManchester\nM2 3AQ\nGB",
] as const;
const DE = [
  "Schönhauser Allee 36\nBerlin\n10435\nDE",
  "Lindenstraße 5\nBerlin\n10969\nDE",
] as const;
const FR = ["24 Rue du Temple\nParis\n75004\nFR", "8 Avenue de l'Opéra\nParis\n75001\nFR"] as const;

export const KINDS: readonly [DemoKind, ...DemoKind[]] = [
  {
    weight: 4,
    losingCarriers: ["Verizon"],
    prefixes: ["+1212736", "+1202224"],
    digits: 4,
    addresses: US,
  },
  {
    weight: 23,
    numberType: "local",
    losingCarriers: ["Verizon", "AT&T", "Lumen", "Comcast Business"],
    prefixes: ["+14155", "+15124", "+13125", "+13035", "+16177", "+12066", "+17038"],
    digits: 6,
    addresses: US,
  },
  {
    weight: 6,
    numberType: "mobile",
    losingCarriers: ["Verizon", "T-Mobile"],
    prefixes: ["+16463", "+19175", "+13104"],
    digits: 6,
    addresses: US,
  },
  {
    weight: 8,
    losingCarriers: ["BT", "Vodafone", "Virgin Media"],
    prefixes: ["+442079", "+442033", "+441618"],
    digits: 6,
    addresses: GB,
  },
  {
    weight: 3,
    losingCarriers: ["EE"],
    prefixes: ["+447956", "+447973"],
    digits: 6,
    addresses: GB,
  },
  {
    weight: 8,
    losingCarriers: ["Deutsche Telekom", "Vodafone"],
    prefixes: ["+493023", "+493044"],
    digits: 6,
    addresses: DE,
  },
  {
    weight: 3,
    losingCarriers: ["Deutsche Telekom"],
    prefixes: ["+49170", "+49171"],
    digits: 7,
    addresses: DE,
  },
  {
    weight: 6,
    losingCarriers: ["Orange", "SFR"],
    prefixes: ["+33142", "+33153"],
    digits: 6,
    addresses: FR,
  },
  {
    weight: 3,
    losingCarriers: ["Orange"],
    prefixes: ["+33607", "+33608"],
    digits: 6,
    addresses: FR,
  },
];

/** A new number of the kind; `ending` selects the sandbox's outcome, and no other number has one. */
export function newNumber(kind: DemoKind, chance: Chance, ending: string | null): string {
  const prefix = chance.pick(kind.prefixes);
  const all = prefix + chance.digits(kind.digits);
  if (ending !== null) return all.slice(0, -ending.length) + ending;
  return all.slice(-4, -2) === "99" ? `${all.slice(0, -4)}18${all.slice(-2)}` : all;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const WAIT_MS = 120_000;
const CREATE_TRIES = 10;
const PORT_OUT_CODES = ["account_number_invalid", "pin_missing", "subscriber_mismatch"] as const;

const requirement = z.object({
  slug: z.string(),
  field_type: z.string(),
  mandatory: z.boolean(),
  status: z.string(),
  example: z.string().nullish(),
});
const order = z.object({ status: z.string(), requirements: z.array(requirement) });
const created = z.object({ data: z.array(z.object({ id: z.string() })).min(1) });
const portOuts = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });
const ready = z.object({ ready: z.literal(true) });

export type Requirement = z.output<typeof requirement>;

/** What one order needs to be played. */
export interface DemoScene {
  readonly account: DemoAccount;
  readonly story: Story;
  readonly chance: Chance;
  /** The run and the order's number in it. */
  readonly reference: string;
}

interface Created extends Pick<DemoOrder, "id" | "phoneNumbers"> {
  /** The losing carrier, as the documents name it. */
  readonly issuer: string;
}

/** An order as its customer keeps it. */
export class DemoOrder {
  readonly id: string;
  readonly phoneNumbers: readonly string[];
  readonly #api: Client;
  readonly #chance: Chance;
  readonly #values: Readonly<Record<string, string>>;
  readonly #stated: Omit<Stated, "title">;

  private constructor({ id, phoneNumbers, issuer }: Created, scene: DemoScene, kind: DemoKind) {
    const { account, chance } = scene;
    this.id = id;
    this.phoneNumbers = phoneNumbers;
    this.#api = account.api;
    this.#chance = chance;
    const holder = chance.pick(HOLDERS);
    const address = chance.pick(kind.addresses);
    const accountNumber = `${chance.digits(4)}-${chance.digits(3)}-${chance.digits(5)}`;
    this.#values = {
      entity_name: holder,
      auth_person_name: chance.pick(SIGNERS),
      service_address: address,
      account_number: accountNumber,
      losing_carrier: issuer,
      ...(phoneNumbers[0]?.startsWith("+1") === true
        ? { billing_phone_number: phoneNumbers[0] }
        : {}),
    };
    this.#stated = { issuer, holder, address, accountNumber, phoneNumbers };
  }

  /** A random number may exist already: then others are tried. */
  static async create(scene: DemoScene): Promise<DemoOrder> {
    const { account, story, chance, reference } = scene;
    for (let tries = 1; ; tries += 1) {
      const kind = chance.pickWeighted(KINDS);
      const phone_numbers = numbersOf(kind, scene);
      const issuer = chance.pick(kind.losingCarriers);
      const foc = new Date(Date.now() + (story.focInDays ?? 0) * DAY_MS).toISOString();
      const body = {
        phone_numbers,
        losing_carrier: story.losingCarrier ?? issuer,
        customer_reference: reference,
        ...(kind.numberType === undefined ? {} : { number_type: kind.numberType }),
        ...(story.focInDays === undefined ? {} : { foc_requested: foc }),
      };
      try {
        const idempotencyKey = `${reference}-${tries}`;
        const made = await account.api("/porting_orders", { method: "POST", body, idempotencyKey });
        const [first] = created.parse(made).data;
        const id = first?.id ?? "";
        return new DemoOrder({ id, phoneNumbers: phone_numbers, issuer }, scene, kind);
      } catch (error) {
        if (tries === CREATE_TRIES) throw error;
      }
    }
  }

  async read(): Promise<z.output<typeof order>> {
    return order.parse(await this.#api(`/porting_orders/${this.id}`));
  }

  /** Fills what is open, or some of it; the letter is signed last, because it states the other values. */
  async fulfil(part: "all" | "some" = "all"): Promise<void> {
    const { requirements } = await this.read();
    const open = requirements.filter(({ mandatory, status }) => mandatory && status !== "approved");
    const values = open.filter(({ slug }) => slug !== "loa");
    for (const one of part === "all" ? values : values.slice(0, 3)) await this.#fill(one);
    if (part === "some") return;
    if (open.some(({ slug }) => slug === "loa")) await this.sign();
  }

  async sign(): Promise<void> {
    const body = {
      signer_name: this.#values["auth_person_name"],
      signer_title: "Director",
      consent: true,
    };
    await this.#api(`/porting_orders/${this.id}/loa/sign`, { method: "POST", body });
  }

  /** Writes what was found wrong once more, with another value. */
  async correct(slugs: readonly string[]): Promise<void> {
    const { requirements } = await this.read();
    for (const one of requirements.filter(({ slug }) => slugs.includes(slug))) {
      if (one.slug === "loa") await this.sign();
      else await this.#fill(one, true);
    }
  }

  async submit(): Promise<void> {
    const path = `/porting_orders/${this.id}`;
    const isReady = async () => {
      const found = ready.safeParse(await this.#api(`${path}/readiness`));
      return found.success ? true : undefined;
    };
    const what = () => `Order ${this.id} did not become ready to be submitted`;
    await waitFor(isReady, { timeoutMs: WAIT_MS, what });
    await this.#api(`${path}/submit`, { method: "POST", body: {} });
  }

  async cancel(): Promise<void> {
    const body = { reason: "The customer stays with their carrier." };
    await this.#api(`/porting_orders/${this.id}/cancel`, { method: "POST", body });
  }

  async comment(): Promise<void> {
    const body = { body: this.#chance.pick(CUSTOMER_COMMENTS) };
    await this.#api(`/porting_orders/${this.id}/comments`, { method: "POST", body });
  }

  /** Approves or rejects the request of another carrier, or leaves it open. */
  async decidePortOut(): Promise<void> {
    const query = `?phone_number=${encodeURIComponent(this.phoneNumbers[0] ?? "")}`;
    const requested = async () => {
      const [first] = portOuts.parse(await this.#api(`/port_outs${query}`)).data;
      return first;
    };
    const what = () => `No port-out of order ${this.id} was requested`;
    const { id, status } = await waitFor(requested, { timeoutMs: WAIT_MS, what });
    const act = this.#chance.pick(["approve", "reject", "wait"]);
    if (status !== "decision_required" || act === "wait") return;
    const body = act === "reject" ? { code: this.#chance.pick(PORT_OUT_CODES) } : {};
    await this.#api(`/port_outs/${id}/${act}`, { method: "POST", body });
  }

  reaches(...statuses: readonly string[]): Promise<string> {
    const found = async () => {
      const { status } = await this.read();
      return statuses.includes(status) ? status : undefined;
    };
    const what = () => `Order ${this.id} did not become ${statuses.join(" or ")}`;
    return waitFor(found, { timeoutMs: WAIT_MS, what });
  }

  async #fill({ slug, field_type, example }: Requirement, isCorrection = false): Promise<void> {
    const path = `/porting_orders/${this.id}/requirements/${slug}`;
    if (field_type === "document") {
      await this.#api(path, { method: "PATCH", form: await this.#formOf(slug, isCorrection) });
      return;
    }
    const own = this.#values[slug];
    const corrected = slug === "entity_name" && own !== undefined ? `${own} Ltd` : own;
    const field_value = (isCorrection ? corrected : own) ?? example;
    await this.#api(path, { method: "PATCH", body: { field_value } });
  }

  /** One in eight invoices is somebody else's, until it is corrected. */
  async #formOf(slug: string, isCorrection: boolean): Promise<FormData> {
    const isOther = slug === "invoice" && !isCorrection && this.#chance.isOneIn(8);
    const holder = isOther ? this.#chance.pick(HOLDERS) : this.#stated.holder;
    const title = slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll("_", " ");
    const form = new FormData();
    form.set("document_date", new Date().toISOString());
    form.set("file", await printDocument({ ...this.#stated, holder, title }), `${slug}.pdf`);
    return form;
  }
}

/** The outcome is selected by the first number alone. */
function numbersOf(kind: DemoKind, { story, chance }: DemoScene): string[] {
  const { numbers = 1, ending = null } = story;
  const first = newNumber(kind, chance, ending);
  const rest = Array.from({ length: numbers - 1 }, () => {
    return first.slice(0, -4) + (1_000 + chance.below(8_000)).toString();
  });
  return [...new Set([first, ...rest])];
}
