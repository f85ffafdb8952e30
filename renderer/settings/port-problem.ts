const MAX_PORT = 65_535;

/** Problem of a typed port; undefined for a valid one. 0 means any free port. */
export function portProblem(text: string): string | undefined {
  if (!/^\d+$/.test(text.trim())) return 'Expected a whole number.';
  return Number(text) > MAX_PORT ? `Expected at most ${MAX_PORT}.` : undefined;
}
