import { useEffect, useState } from "react";
import { AS_WRITTEN, loadPhones, type Phones } from "./phones.ts";

/** The form of phone numbers: as they are written, until the numbering plans have come. */
export function usePhones(): Phones {
  const [phones, setPhones] = useState(AS_WRITTEN);
  useEffect(() => {
    let isOver = false;
    loadPhones().then(
      (loaded) => {
        if (!isOver) setPhones(loaded);
      },
      // Numbers in their plain form are complete, too.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, []);
  return phones;
}
