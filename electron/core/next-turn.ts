/** Resolves in the next event-loop tick, after all events that have arrived by then. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
