import { accountEntity } from "./account-entity.ts";
import { operatorEntity } from "./operator-entity.ts";
import { operatorTokenEntity } from "./operator-token-entity.ts";

/** The entities that a data source needs for the stores in this folder. */
export const ACCOUNT_ENTITIES = [accountEntity, operatorEntity, operatorTokenEntity];
