import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface SoakOptions {
  readonly minutes: number;
  /** The same seed chooses the same deeds; what they meet depends on the machine. */
  readonly seed: number;
  /** File for the report as JSON. */
  readonly reportPath?: string;
  /** Run the real app with its window in place of the core alone. */
  readonly hasWindow: boolean;
}

const DEFAULT_MINUTES = 3;
const MAX_SEED = 2 ** 32;

/**
 * @param from folder that a relative path of the report is seen from
 * @throws Error for an option that is unknown or no number
 */
export function readOptions(args: readonly string[], from: string, randomSeed: () => number): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string' },
      seed: { type: 'string' },
      report: { type: 'string' },
      window: { type: 'boolean' },
    },
  });
  const minutes = numberOf('--minutes', values.minutes, DEFAULT_MINUTES);
  if (minutes <= 0) throw new Error(`--minutes: expected more than 0, found ${values.minutes}`);
  return {
    minutes,
    seed: Math.trunc(numberOf('--seed', values.seed, randomSeed())) % MAX_SEED,
    ...(values.report !== undefined && { reportPath: resolve(from, values.report) }),
    hasWindow: values.window === true,
  };
}

function numberOf(name: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`${name}: expected a number, found “${text}”`);
  return value;
}
