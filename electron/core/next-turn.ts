/** Yields to the event loop. Resolves in the next tick, after the events that have arrived by then were handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
