/** As the contract takes it. */
const LONGEST_S = 86_400;
const SHORTEST_MS = 1;

/** What is typed as the time limit of a call, in seconds; empty leaves it to the server's setting. */
export function readTimeLimit(text: string): { readonly timeoutMs?: number } | { readonly problem: string } {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  const seconds = /^\d*[.,]?\d+$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
  const timeoutMs = Math.round(seconds * 1000);
  if (timeoutMs >= SHORTEST_MS && seconds <= LONGEST_S) return { timeoutMs };
  return { problem: `Takes seconds, up to ${LONGEST_S} (a day).` };
}
