import type { ServerView } from '../../../shared/domain.ts';
import {
  isEnded,
  needsAttention,
  markOrder,
  shownMark,
  markWords,
  type ShownMark,
} from '../../../shared/server-states.ts';
import { unplannedWords } from '../../../shared/unplanned-words.ts';
import { addUp, inRamWords } from '../../../shared/server-totals.ts';
import { BYTES_PER_MIB } from '../../../shared/units.ts';

/** The part of a server that the tray shows. */
export type TrayServer = Pick<
  ServerView,
  'name' | 'state' | 'restartAttempt' | 'unstable' | 'sample' | 'lastError'
>;

export const APP_NAME = 'MCP Control Panel';

/** Shape of a state, since colour is not to be had in a menu. */
const glyphs: Readonly<Record<ShownMark, string>> = {
  running: '●',
  unstable: '◉',
  starting: '◐',
  suspect: '◒',
  stalled: '◍',
  backoff: '▲',
  stopping: '◌',
  stopped: '○',
  failed: '⊗',
};

/** Longer lines make the whole menu wide. */
const MAX_REASON = 72;
const REASON_INDENT = '      ';

/** "● memory: Running" */
export const serverLabel = (name: string, kind: ShownMark): string =>
  `${glyphs[kind]} ${name}: ${markWords[kind]}`;

/** The tooltip lists what is well first, and last what was stopped on purpose. */
export const bestFirst: readonly ShownMark[] = [
  ...markOrder.filter((kind) => !isEnded(kind)).reverse(),
  ...markOrder.filter(isEnded),
];

/** How many servers are in each state: "5 running", "1 failed". */
function countsOf(servers: readonly TrayServer[]): string[] {
  return bestFirst
    .map((kind) => ({ kind, count: servers.filter((server) => shownMark(server) === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${markWords[kind].toLowerCase()}`);
}

/** "MCP Control Panel: 5 running · 1 restarting · 1 failed" */
export const tooltipWords = (servers: readonly TrayServer[]): string =>
  `${APP_NAME}: ${servers.length === 0 ? 'no servers' : countsOf(servers).join(' · ')}`;

/** First line of the menu: "9 running, 1 failed · 1.2 GiB, ≈ 0.9 GiB in RAM, shared pages once" */
export function headWords(servers: readonly TrayServer[]): string {
  if (servers.length === 0) return 'No servers';
  const memory = memoryWords(servers);
  return `${countsOf(servers).join(', ')}${memory === undefined ? '' : ` · ${memory}`}`;
}

/** Why a server is in trouble, as a line below it; undefined where it is not, or nobody knows. */
export function reasonLine(server: TrayServer): string | undefined {
  const { reason, reasonData } = server.state;
  const mark = shownMark(server);
  const words =
    mark === 'unstable'
      ? server.unstable && unplannedWords(server.unstable)
      : (reasonData?.phrase ?? reason ?? server.lastError?.message);
  if (!needsAttention(mark) || words === undefined || words === '') return undefined;
  const [line = ''] = words.split('\n');
  const shown = line.length > MAX_REASON ? `${line.slice(0, MAX_REASON - 1).trimEnd()}…` : line;
  // A menu takes a single "&" as the mark of an access key.
  return `${REASON_INDENT}${shown.replaceAll('&', '&&')}`;
}

/** Memory of all servers: the sum of their figures, and about what they take together. */
function memoryWords(servers: readonly TrayServer[]): string | undefined {
  const { memoryBytes, inRamBytes } = addUp(servers);
  if (memoryBytes === undefined) return undefined;
  const inRam = inRamBytes === undefined ? '' : `, ${inRamWords(roundMemory(inRamBytes))}`;
  return `${roundMemory(memoryBytes)}${inRam}`;
}

/** Two digits, because every other figure is a menu to be built anew. */
function roundMemory(bytes: number): string {
  const mib = bytes / BYTES_PER_MIB;
  const [amount, unit] = mib < 995 ? [mib, 'MiB'] : [mib / 1024, 'GiB'];
  return `${Number(amount.toPrecision(2))} ${unit}`;
}
