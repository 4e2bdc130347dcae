/** An event's type, which a line may end in behind its dot. */
export function EventName({ type }: { readonly type: string }) {
  const [subject, change] = type.split(".");
  return (
    <>
      {subject}.<wbr />
      {change}
    </>
  );
}
