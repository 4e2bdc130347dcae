import { accountEntity } from "./account-entity.ts";
import { apiKeyEntity } from "./api-key-entity.ts";
import { operatorEntity } from "./operator-entity.ts";
import { operatorTokenEntity } from "./operator-token-entity.ts";

/** What a data source must know to serve the stores of this folder. */
export const ACCOUNT_ENTITIES = [accountEntity, apiKeyEntity, operatorEntity, operatorTokenEntity];
