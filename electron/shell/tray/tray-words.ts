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

/** Fields of a server that the tray shows. */
export type TrayServer = Pick<
  ServerView,
  'name' | 'state' | 'restartAttempt' | 'unstable' | 'sample' | 'lastError'
>;

export const APP_NAME = 'MCP Control Panel';

/** Character for each state, because a menu cannot show colours. */
const glyphs: Readonly<Record<ShownMark, string>> = {
  running: '●',
  unstable: '◈',
  starting: '◐',
  suspect: '◒',
  stalled: '◍',
  backoff: '▲',
  stopping: '◌',
  stopped: '○',
  failed: '⊗',
  asleep: '☾',
};

/** Maximum characters of a reason, because one long item widens the whole menu. */
const MAX_REASON = 72;
const REASON_INDENT = '      ';

/** Label of a server, for example "● memory: Running". */
export const serverLabel = (name: string, kind: ShownMark): string =>
  `${glyphs[kind]} ${name}: ${markWords[kind]}`;

/** Order of states in the tooltip: healthy servers first, servers that the user stopped last. */
export const bestFirst: readonly ShownMark[] = [
  ...markOrder.filter((kind) => !isEnded(kind)).reverse(),
  ...markOrder.filter(isEnded),
];

/** Counts the servers in each state: "5 running", "1 failed". */
function countsOf(servers: readonly TrayServer[]): string[] {
  return bestFirst
    .map((kind) => ({ kind, count: servers.filter((server) => shownMark(server) === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${markWords[kind].toLowerCase()}`);
}

/** For example "MCP Control Panel: 5 running · 1 restarting · 1 failed". */
export const tooltipWords = (servers: readonly TrayServer[]): string =>
  `${APP_NAME}: ${servers.length === 0 ? 'no servers' : countsOf(servers).join(' · ')}`;

/** First line of the menu: "9 running, 1 failed · 1.2 GiB, ≈ 0.9 GiB in RAM, shared pages once" */
export function headWords(servers: readonly TrayServer[]): string {
  if (servers.length === 0) return 'No servers';
  const memory = memoryWords(servers);
  return `${countsOf(servers).join(', ')}${memory === undefined ? '' : ` · ${memory}`}`;
}

/** Returns the text of the item below a server that has a problem; undefined if it has none, or the reason is unknown. */
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
  // A menu reads a single "&" as the mark of an access key.
  return `${REASON_INDENT}${shown.replaceAll('&', '&&')}`;
}

/** Returns the memory of all servers as text: the sum of their figures, and the approximate amount that they use together. */
function memoryWords(servers: readonly TrayServer[]): string | undefined {
  const { memoryBytes, inRamBytes } = addUp(servers);
  if (memoryBytes === undefined) return undefined;
  const inRam = inRamBytes === undefined ? '' : `, ${inRamWords(roundMemory(inRamBytes))}`;
  return `${roundMemory(memoryBytes)}${inRam}`;
}

/** Rounds to two digits, because every change of a figure requires a new menu. */
function roundMemory(bytes: number): string {
  const mib = bytes / BYTES_PER_MIB;
  const [amount, unit] = mib < 995 ? [mib, 'MiB'] : [mib / 1024, 'GiB'];
  return `${Number(amount.toPrecision(2))} ${unit}`;
}
