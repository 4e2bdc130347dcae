import { DemoDesk } from "./demo-desk.ts";
import { DemoOrder, type DemoScene } from "./demo-order.ts";
import type { DemoCast } from "./open-demo.ts";
import type { Act } from "./stories.ts";

/** An order in play, with what the desk found wrong last. */
interface Play {
  readonly order: DemoOrder;
  readonly desk: DemoDesk;
  wrong: readonly string[];
}

const ACTS: Readonly<Record<Act, (play: Play) => Promise<unknown>>> = {
  some_values: ({ order }) => order.fulfil("some"),
  fulfil: ({ order }) => order.fulfil(),
  submit: ({ order }) => order.submit(),
  claim: ({ desk }) => desk.claim(),
  reject: async (play) => (play.wrong = await play.desk.reject()),
  correct: ({ order, wrong }) => order.correct(wrong),
  correct_account: ({ order }) => order.correct(["account_number"]),
  confirm: ({ desk }) => desk.confirm(),
  wait_rejection: ({ order }) => order.reaches("rejection"),
  manual_dates: ({ desk }) => desk.enterDates(),
  manual_reject: ({ desk }) => desk.enterRejection(),
  cancel: ({ order }) => order.cancel(),
  port_out: async ({ order, desk }) => {
    await desk.requestPortOut();
    await order.decidePortOut();
  },
};

/** Plays one order's story to where it ends. */
export async function playOrder(cast: DemoCast, scene: DemoScene): Promise<void> {
  const { story, chance } = scene;
  const order = await DemoOrder.create(scene);
  const play: Play = { order, desk: new DemoDesk(cast, order, chance), wrong: [] };
  for (const act of story.acts) await ACTS[act](play);
  if (chance.isOneIn(4)) await order.comment();
  if (story.until !== undefined) await order.reaches(...story.until);
}
