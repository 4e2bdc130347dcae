import { Empty } from "../ui/states.tsx";

/** The customers' portal. */
export function App() {
  return <Empty title="This link is not valid">Ask for a new one.</Empty>;
}
