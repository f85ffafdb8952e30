const MAX_PORT = 65_535;

/** What is wrong with a port as it was typed; 0 is any that is free. */
export function portProblem(text: string): string | undefined {
  if (!/^\d+$/.test(text.trim())) return 'Expected a whole number.';
  return Number(text) > MAX_PORT ? `Expected at most ${MAX_PORT}.` : undefined;
}
