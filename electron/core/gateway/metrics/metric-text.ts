import { ownValue } from '../../../../shared/own-value.ts';
/** Labels of a sample, by name. In OpenMetrics 1.0, each metric family is one block that contains only its own samples. */

type MetricLabels = Readonly<Record<string, string>>;

/** One number. An unknown number is undefined and produces no sample, never a 0. */
export interface MetricSample {
  readonly labels: MetricLabels;
  readonly value: number | undefined;
}

/** Metric kinds whose samples are single numbers, with the suffix of the sample's name. */
const suffixes = { gauge: '', counter: '_total', info: '_info', stateset: '' } as const;

export interface MetricFamily {
  /** Name without the suffix of its kind; it ends with the unit. */
  readonly name: string;
  readonly help: string;
  readonly unit?: 'bytes' | 'seconds' | 'ratio';
  readonly metric:
    | { readonly kind: keyof typeof suffixes; readonly samples: readonly MetricSample[] }
    | { readonly kind: 'histogram'; readonly samples: readonly HistogramSample[] };
}

export interface HistogramSample {
  readonly labels: MetricLabels;
  /** Buckets in the family's unit, lowest first; counts include those of lower bounds. */
  readonly upTo: readonly { readonly bound: number; readonly count: number }[];
  readonly count: number;
  readonly sum: number;
}

/** Returns the whole text, with its end mark. A family without a sample is left out. */
export function metricText(families: readonly MetricFamily[]): string {
  const lines = families.flatMap((family) => {
    const samples = samplesOf(family);
    return samples.length === 0 ? [] : [...headOf(family), ...samples];
  });
  return `${[...lines, '# EOF'].join('\n')}\n`;
}

function headOf({ name, help, unit, metric }: MetricFamily): readonly string[] {
  return [
    `# TYPE ${name} ${metric.kind}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
  ];
}

function samplesOf({ name, metric }: MetricFamily): readonly string[] {
  if (metric.kind === 'histogram') return metric.samples.flatMap((sample) => histogramLines(name, sample));
  const sampleName = `${name}${suffixes[metric.kind]}`;
  return metric.samples.flatMap(({ labels, value }) =>
    value === undefined ? [] : [lineOf(sampleName, labels, value)],
  );
}

function histogramLines(name: string, { labels, upTo, count, sum }: HistogramSample): readonly string[] {
  const bucket = (le: string, value: number) => lineOf(`${name}_bucket`, { ...labels, le }, value);
  return [
    ...upTo.map(({ bound, count: below }) => bucket(boundText(bound), below)),
    bucket('+Inf', count),
    lineOf(`${name}_count`, labels, count),
    lineOf(`${name}_sum`, labels, sum),
  ];
}

/** Formats a bound always the same way, `5.0` and never `5`, because collectors compare bounds as texts. */
const boundText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : String(bound));

function lineOf(name: string, labels: MetricLabels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

/** Escapes a label. Half of a surrogate pair is replaced, because it cannot be written as UTF-8. */
const escaped = (text: string): string =>
  Buffer.from(text)
    .toString()
    .replace(/[\\"\n]/g, (character) => ownValue(escapes, character) ?? character);
