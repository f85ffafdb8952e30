import type { ConsentDifference } from '../../../shared/consent.ts';
import { warningsOf } from '../../../shared/entry-warnings.ts';
import { packageRunOf } from '../../../shared/package-run.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { ShownDefinition } from './definition.ts';

type Line = ConsentDifference['lines'][number];

/** Returns what differs in `after`, which is `config` for display; `before` is undefined if nothing was agreed to. */
export function consentDifference(
  config: ServerConfig,
  before: ShownDefinition | undefined,
  after: ShownDefinition,
): ConsentDifference {
  const lines = [...fieldLines(before, after), ...argumentLines(before?.args ?? [], after.args)];
  return {
    isNew: before === undefined,
    receivers: newReceivers(before, after),
    words: wordsOf(config, after),
    lines,
  };
}

/** Returns the difference as one line for a terminal. */
export function differenceWords({ receivers, words, lines }: ConsentDifference): string {
  const changes = lines.map(({ field, before, after }) => {
    if (before === undefined) return `${field}: ${after}`;
    return after === undefined ? `without ${field}: ${before}` : `${field}: ${before} → ${after}`;
  });
  return [...receivers, ...words, ...changes].join(' · ');
}

function newReceivers(before: ShownDefinition | undefined, after: ShownDefinition): string[] {
  return after.receivers.flatMap((receiver) => {
    const isKnown = before?.receivers.includes(receiver) ?? false;
    const secrets = after.secrets.filter((secret) => !isKnown || !before?.secrets.includes(secret));
    return secrets.length > 0 ? [`Sends ${secrets.join(', ')} to ${receiver} (new)`] : [];
  });
}

function wordsOf(config: ServerConfig, { receivers }: ShownDefinition): string[] {
  if (config.transport !== 'stdio') {
    const [host = 'an address that is not a URL'] = receivers;
    const isUnverified = config.tls?.verify === false;
    return [
      `Connects to ${host}`,
      ...(isUnverified ? [`Accepts any certificate of ${host}`] : []),
      ...warningsOf({ url: config.url }),
    ];
  }
  const { command, args, env } = config;
  const run = packageRunOf(config);
  const name = run?.newest?.replace(/@latest$/, '');
  const from = run && (run.isPython ? 'PyPI' : 'npm');
  const download =
    name === undefined
      ? run && `Downloads and runs ${run.packages.join(', ') || 'a package'} from ${from}`
      : `Downloads and runs the newest “${name}” from ${from} at every start`;
  return [...(download === undefined ? [] : [download]), ...warningsOf({ command, args, env })];
}

function fieldLines(before: ShownDefinition | undefined, after: ShownDefinition): Line[] {
  const [old, now] = [new Map(before?.fields), new Map(after.fields)];
  const fields = [...new Set([...now.keys(), ...old.keys()])];
  return fields
    .filter((field) => old.get(field) !== now.get(field))
    .map((field) => lineOf(field, old.get(field), now.get(field)));
}

/** Leaves out the arguments that both lists share at their start and end. The arguments between are shown side by side. */
function argumentLines(before: readonly string[], after: readonly string[]): Line[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const count = Math.max(before.length, after.length) - end - start;
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return Array.from({ length: count }, (_, at) => lineOf(`args[${start + at}]`, old[at], now[at]));
}

const lineOf = (field: string, before: string | undefined, after: string | undefined): Line => ({
  field,
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});
