/** Measurement beside its budget; without a budget it only stands for comparison. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly measured: number;
  /** Greatest value that is allowed. */
  readonly budget?: number;
}

const isMet = ({ measured, budget }: Figure): boolean => budget === undefined || measured <= budget;

/** Prints a table, one line of JSON last, and sets exit code 1 when a budget is missed or a part could not be measured. */
export function report(bench: string, figures: readonly Figure[], problems: readonly string[]): void {
  const rows = figures.map((figure) => [
    `${figure.what}, ${figure.unit}`,
    {
      budget: figure.budget === undefined ? '–' : round(figure.budget),
      measured: round(figure.measured),
      met: figure.budget === undefined ? '–' : isMet(figure) ? 'yes' : 'NO',
    },
  ]);
  console.table(Object.fromEntries(rows));
  for (const problem of problems) console.error(problem);
  const isWithin = problems.length === 0 && figures.every(isMet);
  const rounded = figures.map((figure) => ({ ...figure, measured: round(figure.measured) }));
  console.log(JSON.stringify({ bench, figures: rounded, problems, isWithin }));
  if (!isWithin) process.exitCode = 1;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
