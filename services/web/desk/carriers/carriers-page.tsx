import { useState } from "react";
import { DataView } from "../../ui/data-view.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { CarrierTable } from "./carrier-table.tsx";
import styles from "./carriers.module.css";
import { CallList } from "./call-list.tsx";
import { ProviderDrawer } from "./provider-drawer.tsx";
import { ProviderTable } from "./provider-table.tsx";
import { useCallsToMake, useCarriers } from "./queries.ts";
import { callsOf } from "./calls.ts";

/** Whom to call today and why; who carries orders out, in which words; which carrier has which numbers. */
export default function CarriersPage() {
  const providers = useCallsToMake();
  const carriers = useCarriers();
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Page title="Carriers">
      <DataView query={providers}>
        {({ data }) => {
          const provider = data.find(({ name }) => name === shown);
          return (
            <>
              <Card title="To call today">
                <CallList calls={callsOf(data, carriers.data?.data ?? [])} />
              </Card>
              <h2 className={styles["heading"]}>Providers</h2>
              <ProviderTable providers={data} onShow={setShown} />
              {provider !== undefined && (
                <ProviderDrawer provider={provider} onClose={() => setShown(null)} />
              )}
            </>
          );
        }}
      </DataView>
      <h2 className={styles["heading"]}>Directory</h2>
      <DataView query={carriers}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="The directory names no carrier">
              Carriers stand in directory.json of the folder that CARRIERS_DIR names.
            </Empty>
          ) : (
            <CarrierTable carriers={data} />
          )
        }
      </DataView>
    </Page>
  );
}
