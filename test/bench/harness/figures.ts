/** Measurement beside its budget; without a budget it only stands for comparison. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly measured: number;
  /** Greatest value that is allowed. */
  readonly budget?: number;
}

export const figure = (what: string, unit: string, measured: number, budget?: number): Figure => ({
  ...{ what, unit, measured },
  ...(budget !== undefined && { budget }),
});

const isMet = ({ measured, budget }: Figure): boolean => budget === undefined || measured <= budget;

/** Prints a table, one line of JSON last, and sets exit code 1 when a budget is missed or a part could not be measured. */
export function report(bench: string, figures: readonly Figure[], problems: readonly string[] = []): void {
  const rows = figures.map((one) => [
    `${one.what}, ${one.unit}`,
    {
      budget: one.budget === undefined ? '–' : round(one.budget),
      measured: round(one.measured),
      met: one.budget === undefined ? '–' : isMet(one) ? 'yes' : 'NO',
    },
  ]);
  console.table(Object.fromEntries(rows));
  for (const problem of problems) console.error(problem);
  const isWithin = problems.length === 0 && figures.every(isMet);
  const rounded = figures.map((one) => ({ ...one, measured: round(one.measured) }));
  console.log(JSON.stringify({ bench, figures: rounded, problems, isWithin }));
  if (!isWithin) process.exitCode = 1;
}

/** Value of the flag `--name=value` of the command line. */
export const flag = (name: string): string | undefined =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Lets the acts take turns. The first rounds are not counted, because in them code is compiled and files are read. */
export async function inTurns<K, T>(
  acts: ReadonlyMap<K, () => Promise<T>>,
  rounds: number,
  warmUps = 1,
): Promise<ReadonlyMap<K, readonly T[]>> {
  const taken = new Map<K, T[]>([...acts.keys()].map((key) => [key, []]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const [key, act] of acts) {
      const one = await act();
      if (round >= warmUps) taken.get(key)!.push(one);
    }
  }
  return taken;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

const round = (value: number): number => Math.round(value * 100) / 100;
