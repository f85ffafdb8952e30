/** Measurement beside its budget; without a budget it only stands for comparison. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly measured: number;
  /** Greatest value that is allowed. */
  readonly budget?: number;
  /** Least and greatest value of the rounds. */
  readonly range?: readonly [number, number];
}

export const figure = (what: string, unit: string, measured: number, budget?: number): Figure => ({
  ...{ what, unit, measured },
  ...(budget !== undefined && { budget }),
});

/** Median of the rounds, with the ends of their range. */
export const medianFigure = (
  what: string,
  unit: string,
  rounds: readonly number[],
  budget?: number,
): Figure => ({
  ...figure(what, unit, median(rounds), budget),
  range: [round(Math.min(...rounds)), round(Math.max(...rounds))],
});

const isMet = ({ measured, budget }: Figure): boolean => budget === undefined || measured <= budget;

/** Prints a table, one line of JSON last, and sets exit code 1 when a budget is missed or a part could not be measured. */
export function report(bench: string, figures: readonly Figure[], problems: readonly string[] = []): void {
  const rows = figures.map((one) => [
    `${one.what}, ${one.unit}`,
    {
      budget: one.budget === undefined ? '–' : round(one.budget),
      measured: round(one.measured),
      ...(one.range && { range: one.range.join('–') }),
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

type Parts = ReadonlyMap<string, () => Promise<readonly Figure[]>>;

/** Measures the named parts, by default those of `--only=one,other` or all, and reports; one that throws is a problem. */
export async function reportParts(
  bench: string,
  parts: Parts,
  names: Iterable<string> = flag('only')?.split(',') ?? parts.keys(),
): Promise<void> {
  const figures: Figure[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const part = parts.get(name);
    if (part === undefined) {
      problems.push(`There is no part "${name}". Known: ${[...parts.keys()].join(', ')}.`);
      continue;
    }
    console.error(`measuring: ${name}`);
    try {
      figures.push(...(await part()));
    } catch (error) {
      problems.push(`${name} could not be measured: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  report(bench, figures, problems);
}

/** Value of `--name=value`, or `--name value`, on the command line. */
export function flag(name: string): string | undefined {
  const text = process.argv.slice(2).join('\n');
  return new RegExp(`^--${name}[=\n](.+)$`, 'm').exec(text)?.[1];
}

/** Number behind a flag. @throws where it is none */
export function numberFlag(name: string, byDefault: number): number {
  const value = Number(flag(name) ?? byDefault);
  if (!(value >= 0)) throw new Error(`--${name}: expected a number, found ${flag(name)}`);
  return value;
}

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

export interface Point {
  readonly at: number;
  readonly value: number;
}

/** Growth per minute of the line that fits best (least squares). NaN for less than two moments. */
export function slopePerMinute(points: readonly Point[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanAt = meanOf(points.map(({ at }) => at));
  const meanValue = meanOf(points.map(({ value }) => value));
  let covariance = 0;
  let variance = 0;
  for (const { at, value } of points) {
    covariance += (at - meanAt) * (value - meanValue);
    variance += (at - meanAt) ** 2;
  }
  return (covariance / variance) * 60_000;
}
