import { openOf, type Filling } from "../../packages/client/fill-order.ts";
import type {
  CreatePortingOrderRequest,
  PortingOrder,
  Requirement,
} from "../../packages/client/generated/api-types.ts";
import type { PortingClient } from "../../packages/client/porting-client.ts";
import { CUSTOMER_COMMENTS, HOLDERS, SIGNERS, type Chance, type Story } from "./stories.ts";
import { printDocument, type Stated } from "./documents.ts";
import { waitFor, type DemoAccount } from "./demo-client.ts";

/** A kind of order, as the demo plays it. */
interface DemoKind {
  readonly weight: number;
  readonly numberType?: CreatePortingOrderRequest["number_type"];
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
  readonly #client: PortingClient;
  readonly #chance: Chance;
  readonly #values: Readonly<Record<string, string>>;
  readonly #stated: Omit<Stated, "title">;

  private constructor({ id, phoneNumbers, issuer }: Created, scene: DemoScene, kind: DemoKind) {
    const { account, chance } = scene;
    this.id = id;
    this.phoneNumbers = phoneNumbers;
    this.#client = account.client;
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
      const body = {
        phone_numbers,
        losing_carrier: story.losingCarrier ?? issuer,
        customer_reference: reference,
        number_type: kind.numberType,
      };
      try {
        const idempotencyKey = `${reference}-${tries}`;
        const made = await account.client.createPortingOrder(body, { idempotencyKey });
        const id = made.data[0]?.id ?? "";
        if (story.focInDays !== undefined) await askForDate(scene, id, story.focInDays);
        return new DemoOrder({ id, phoneNumbers: phone_numbers, issuer }, scene, kind);
      } catch (error) {
        if (tries === CREATE_TRIES) throw error;
      }
    }
  }

  read(): Promise<PortingOrder> {
    return this.#client.getPortingOrder(this.id);
  }

  /** Fills what is open, or some of it. */
  async fulfil(part: "all" | "some" = "all"): Promise<void> {
    const some = (open: readonly Requirement[]): readonly Requirement[] =>
      open.filter(({ slug }) => slug !== "loa").slice(0, 3);
    await this.#fill((order) => (part === "all" ? openOf(order) : some(openOf(order))));
  }

  /** Writes what was found wrong once more, with another value. */
  async correct(slugs: readonly string[]): Promise<void> {
    const wrong = ({ requirements }: PortingOrder): readonly Requirement[] =>
      requirements.filter(({ slug }) => slugs.includes(slug));
    await this.#fill(wrong, true);
  }

  async submit(): Promise<void> {
    const isReady = async () => {
      const { ready } = await this.#client.getPortingOrderReadiness(this.id);
      return ready ? true : undefined;
    };
    const what = () => `Order ${this.id} did not become ready to be submitted`;
    await waitFor(isReady, { timeoutMs: WAIT_MS, what });
    await this.#client.submitPortingOrder(this.id);
  }

  async cancel(): Promise<void> {
    const reason = "The customer stays with their carrier.";
    await this.#client.cancelPortingOrder(this.id, { reason });
  }

  async comment(): Promise<void> {
    const body = this.#chance.pick(CUSTOMER_COMMENTS);
    await this.#client.createPortingOrderComment(this.id, { body });
  }

  /** Approves or rejects the request of another carrier, or leaves it open. */
  async decidePortOut(): Promise<void> {
    const requested = async () => {
      const found = this.#client.listPortOuts({ phone_number: this.phoneNumbers[0] });
      return (await found.first()).data[0];
    };
    const what = () => `No port-out of order ${this.id} was requested`;
    const { id, status } = await waitFor(requested, { timeoutMs: WAIT_MS, what });
    const act = this.#chance.pick(["approve", "reject", "wait"]);
    if (status !== "decision_required" || act === "wait") return;
    if (act === "approve") await this.#client.approvePortOut(id);
    else await this.#client.rejectPortOut(id, { code: this.#chance.pick(PORT_OUT_CODES) });
  }

  reaches(...statuses: readonly string[]): Promise<string> {
    const found = async () => {
      const { status } = await this.read();
      return statuses.includes(status) ? status : undefined;
    };
    const what = () => `Order ${this.id} did not become ${statuses.join(" or ")}`;
    return waitFor(found, { timeoutMs: WAIT_MS, what });
  }

  async #fill(choose: NonNullable<Filling["choose"]>, isCorrection = false): Promise<void> {
    await this.#client.fillOrder(this.id, {
      choose,
      valueFor: ({ slug, example }) => {
        const own = this.#values[slug];
        const isChanged = isCorrection && slug === "entity_name" && own !== undefined;
        return isChanged ? `${own} Ltd` : (own ?? example);
      },
      documentFor: ({ slug }) => (slug === "loa" ? null : this.#documentOf(slug, isCorrection)),
      signer: { signer_name: this.#values["auth_person_name"] ?? "", signer_title: "Director" },
      checksMs: WAIT_MS,
    });
  }

  /** One in eight invoices is somebody else's, until it is corrected. */
  async #documentOf(slug: string, isCorrection: boolean): Promise<File> {
    const isOther = slug === "invoice" && !isCorrection && this.#chance.isOneIn(8);
    const holder = isOther ? this.#chance.pick(HOLDERS) : this.#stated.holder;
    const title = slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll("_", " ");
    return new File([await printDocument({ ...this.#stated, holder, title })], `${slug}.pdf`);
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

/** Asks for the first date that is possible so many days ahead. */
async function askForDate({ account }: DemoScene, id: string, days: number): Promise<void> {
  const from = new Date(Date.now() + days * DAY_MS).toISOString();
  const { data } = await account.client.listAllowedFocWindows(id, { from });
  const [window] = data;
  if (window === undefined) throw new Error(`No date is possible ${days} days ahead.`);
  await account.client.updatePortingOrder(id, { foc_requested: window.opens_at });
}
