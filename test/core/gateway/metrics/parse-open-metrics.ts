/** OpenMetrics 1.0 texts read by the grammar of the specification, and by its rules for each type. */

interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly unit: string | undefined;
  readonly help: string;
  readonly samples: ParsedSample[];
}

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$|^[+-]?Inf$|^NaN$/;

/** What the names of samples may end with, by type. */
const endings: Readonly<Record<string, readonly string[]>> = {
  gauge: [''],
  counter: ['_total', '_created'],
  info: ['_info'],
  stateset: [''],
  histogram: ['_bucket', '_count', '_sum', '_created'],
};

/** @throws Error with the line that breaks a rule */
export function parseOpenMetrics(text: string): readonly ParsedFamily[] {
  if (!text.endsWith('\n# EOF\n') && text !== '# EOF\n') throw new Error('no EOF at the end');
  const lines = text.split('\n').slice(0, -2);
  const families: ParsedFamily[] = [];
  let open: { name: string; type?: string; unit?: string; help?: string } | undefined;
  let samples: ParsedSample[] | undefined;
  for (const line of lines) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    const descriptor = /^# (TYPE|UNIT|HELP) ([^ ]+) (.*)$/.exec(line);
    if (descriptor) {
      const [, kind, name = '', rest = ''] = descriptor;
      if (METRIC_NAME.exec(name)?.[0] !== name) fail('no metric name');
      if (samples !== undefined || open?.name !== name) {
        if (families.some((family) => family.name === name)) fail('a second family of that name');
        open = { name };
        samples = undefined;
      }
      const key = (kind ?? '').toLowerCase() as 'type' | 'unit' | 'help';
      if (open[key] !== undefined) fail('told twice');
      open[key] = key === 'help' ? unescape(rest, fail) : rest;
      continue;
    }
    if (line.startsWith('#') || line === '') fail('neither a descriptor nor a sample');
    if (open === undefined) return fail('a sample before its family');
    if (samples === undefined) {
      const { name, type, unit, help } = open;
      if (type === undefined || help === undefined || endings[type] === undefined) return fail('no type');
      if (unit !== undefined && !name.endsWith(`_${unit}`)) fail('a unit that the name does not end with');
      samples = [];
      families.push({ name, type, unit, help, samples });
    }
    const sample = parseSample(line, fail);
    const { name, type = '' } = open;
    if (!(endings[type] ?? []).some((ending) => sample.name === name + ending)) fail(`no sample of ${name}`);
    samples.push(sample);
  }
  for (const family of families) checkRules(family);
  return families;
}

type Fail = (why: string) => never;

function parseSample(line: string, fail: Fail): ParsedSample {
  const name = METRIC_NAME.exec(line)?.[0] ?? fail('no name');
  let rest = line.slice(name.length);
  const labels: Record<string, string> = {};
  if (rest.startsWith('{')) {
    rest = rest.slice(1);
    while (!rest.startsWith('}')) {
      const label = LABEL_NAME.exec(rest)?.[0] ?? fail('no label');
      const quoted = /^="((?:[^"\\\n]|\\.)*)"/.exec(rest.slice(label.length));
      if (label in labels) fail('a label twice');
      labels[label] = unescape(quoted?.[1] ?? fail('no label value'), fail);
      rest = rest.slice(label.length + (quoted?.[0].length ?? 0));
      if (rest.startsWith(',')) rest = rest.slice(1);
      else if (!rest.startsWith('}')) fail('no end of the labels');
    }
    rest = rest.slice(1);
  }
  if (!rest.startsWith(' ') || !NUMBER.test(rest.slice(1))) fail('no number');
  return { name, labels, value: Number(rest.slice(1).replace('Inf', 'Infinity')) };
}

function unescape(text: string, fail: Fail): string {
  if (/(^|[^\\])(\\\\)*\\([^\\"n]|$)/.test(text)) fail('an escape that there is not');
  return text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

function checkRules({ name, type, samples }: ParsedFamily): void {
  const keys = samples.map((sample) => JSON.stringify([sample.name, Object.entries(sample.labels).sort()]));
  if (new Set(keys).size !== keys.length) throw new Error(`${name}: a sample twice`);
  for (const { labels, value } of samples) {
    if ((type === 'counter' || type === 'histogram') && !(value >= 0)) throw new Error(`${name}: below 0`);
    if (type === 'info' && value !== 1) throw new Error(`${name}: an info that is not 1`);
    if (type === 'stateset' && (labels[name] === undefined || ![0, 1].includes(value)))
      throw new Error(`${name}: no state`);
  }
  if (type === 'histogram') checkHistograms(name, samples);
}

/** Buckets never fall, the last is `+Inf`, and equals the count. */
function checkHistograms(name: string, samples: readonly ParsedSample[]): void {
  const groups = new Map<string, ParsedSample[]>();
  for (const sample of samples) {
    const key = JSON.stringify(Object.entries(sample.labels).filter(([label]) => label !== 'le'));
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => labels['le'] ?? '');
    if (bounds.at(-1) !== '+Inf') throw new Error(`${name}: no +Inf`);
    if (bounds.some((bound) => bound !== '+Inf' && !/^\d+\.\d+$/.test(bound)))
      throw new Error(`${name}: a bound that is not canonical`);
    const ascending = (values: readonly number[]) =>
      values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0));
    if (!ascending(bounds.slice(0, -1).map(Number))) throw new Error(`${name}: bounds out of order`);
    if (!ascending(buckets.map(({ value }) => value))) throw new Error(`${name}: buckets that fall`);
    const count = group.find((sample) => sample.name === `${name}_count`)?.value;
    if (count === undefined || count !== buckets.at(-1)?.value) throw new Error(`${name}: another count`);
    if (!group.some((sample) => sample.name === `${name}_sum`)) throw new Error(`${name}: no sum`);
  }
}
