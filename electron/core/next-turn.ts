/** Resolves in the next turn of the event loop, after whatever else has come meanwhile. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
