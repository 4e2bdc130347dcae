import type { Scenario } from "./scenario.ts";
import { clockJumps } from "./scenarios/clock-jumps.ts";
import {
  cutConnections,
  lostConnections,
  silentKafka,
  silentPostgres,
} from "./scenarios/connections.ts";
import { freezeBroker, freezePostgres, freezeServices } from "./scenarios/freezes.ts";
import { fullKafkaDisk, fullPostgresDisk } from "./scenarios/full-disks.ts";
import { kafkaAway, poisonRecords, rebalances, registryAway } from "./scenarios/bus.ts";
import { killBroker, killEverything, killPostgres, kills } from "./scenarios/kills.ts";
import { lockedOrders, restartPostgres, slowDatabase } from "./scenarios/database.ts";
import { overload } from "./scenarios/overload.ts";
import { randomFaults } from "./scenarios/random-faults.ts";
import { replay } from "./replay.ts";
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
