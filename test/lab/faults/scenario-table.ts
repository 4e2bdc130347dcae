import type { Scenario } from "./scenario.ts";
import { clockJumps } from "./scenarios/clock-jumps.ts";
import { cutConnections } from "./scenarios/cut-connections.ts";
import { freezeBroker } from "./scenarios/freeze-broker.ts";
import { freezePostgres } from "./scenarios/freeze-postgres.ts";
import { freezeServices } from "./scenarios/freeze-services.ts";
import { fullKafkaDisk, fullPostgresDisk } from "./scenarios/full-disks.ts";
import { kafkaAway } from "./scenarios/kafka-away.ts";
import { killBroker } from "./scenarios/kill-broker.ts";
import { killEverything } from "./scenarios/kill-everything.ts";
import { killPostgres } from "./scenarios/kill-postgres.ts";
import { kills } from "./scenarios/kills.ts";
import { lockedOrders } from "./scenarios/locked-orders.ts";
import { lostConnections } from "./scenarios/lost-connections.ts";
import { overload } from "./scenarios/overload.ts";
import { poisonRecords } from "./scenarios/poison-records.ts";
import { randomFaults } from "./scenarios/random-faults.ts";
import { rebalances } from "./scenarios/rebalances.ts";
import { registryAway } from "./scenarios/registry-away.ts";
import { replay } from "./scenarios/replay.ts";
import { restartPostgres } from "./scenarios/restart-postgres.ts";
import { silentKafka, silentPostgres } from "./scenarios/silent-links.ts";
import { slowDatabase } from "./scenarios/slow-database.ts";
import { stopUnderLoad } from "./scenarios/stop-under-load.ts";

/** Every scenario, in the order of the report. */
export const SCENARIOS: readonly Scenario[] = [
  killEverything,
  killPostgres,
  restartPostgres,
  killBroker,
  freezeServices,
  freezeBroker,
  freezePostgres,
  lostConnections,
  cutConnections,
  lockedOrders,
  slowDatabase,
  silentPostgres,
  silentKafka,
  fullPostgresDisk,
  fullKafkaDisk,
  registryAway,
  rebalances,
  kafkaAway,
  stopUnderLoad,
  overload,
  poisonRecords,
  replay,
  clockJumps,
  kills,
  randomFaults,
];
