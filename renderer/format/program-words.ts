import type { ForeignNameProblem } from '../../shared/foreign-names.ts';
import type { ClientView } from '../../shared/gateway.ts';
import { groupBy } from '../../shared/group-by.ts';
import type { FoundClient } from '../../shared/ipc/topics/programs.ts';
import { formatAgo } from './durations.ts';
import { formatMemory, formatPlural, listWords } from './figures.ts';

const EDITIONS = new Map([
  ['insiders', 'VS Code Insiders'],
  ['vscodium', 'VSCodium'],
]);

/** Text about where an entry of a program belongs: "yours, everywhere", "of the project /home/me/shop". */
export function ownerWords(scope: string): string {
  const [kind = '', ...others] = scope.split(':');
  const rest = others.join(':');
  const edition = EDITIONS.get(kind);
  if (edition !== undefined) return `${edition}, ${ownerWords(rest)}`;
  switch (kind) {
    case 'user':
      return 'yours, everywhere';
    case 'local':
      return `yours, only in ${rest}`;
    case 'project':
      return `of the project ${rest}`;
    case 'profile':
      return `in the profile ${rest}`;
    case 'settings':
      return 'in settings.json';
    case 'remote':
      return 'on a remote machine';
    default:
      return kind.startsWith('user-') ? 'yours, in a further file' : scope;
  }
}

/** Text about a server name that a program does not keep: "Copilot CLI will not show this one: its name has a dot." */
export const nameProblemWords = (program: string, { effect, reason }: ForeignNameProblem): string =>
  `${program} ${effect === 'dropped' ? 'will not show this one' : 'will call this one differently'}: ${reason}.`;

const TIMES = ['never', 'once', 'twice', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const timesWords = (count: number): string =>
  count < 3 ? (TIMES[count] ?? '') : `${TIMES[count] ?? String(count)} times`;

type Copy = FoundClient['copies'][number];
const nameOfCopy = ({ server }: Copy): string => server ?? 'an unknown server';
const memoryOf = (copies: readonly Copy[]): number =>
  copies.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);

/** Lists each word once, with the number of its occurrences: "Cursor, Claude Code ×2". */
function countedWords(words: readonly string[]): string {
  const each = [...groupBy(words, (word) => word)];
  return each.map(([word, { length }]) => (length === 1 ? word : `${word} ×${length}`)).join(', ');
}

/** Returns one line for each server of which programs run their own copies: "github runs twice: Cursor, Zed: 206 MiB". */
export function copyLines(found: readonly FoundClient[]): readonly string[] {
  const all = found.flatMap(({ name, copies }) => copies.map((copy) => ({ ...copy, program: name })));
  return [...groupBy(all, nameOfCopy)]
    .sort(([, one], [, other]) => memoryOf(other) - memoryOf(one))
    .map(
      ([server, copies]) =>
        `${server} runs ${timesWords(copies.length)}: ${countedWords(copies.map(({ program }) => program))}: ${formatMemory(memoryOf(copies))}`,
    );
}

/** Text about the server copies a program runs: "Runs 3 copies of its own now, 412 MiB: github ×2, memory"; undefined if none. */
export function ownCopiesWords({ copies }: FoundClient): string | undefined {
  if (copies.length === 0) return undefined;
  const count = formatPlural(copies.length, 'copy', 'copies');
  return `Runs ${count} of its own now, ${formatMemory(memoryOf(copies))}: ${countedWords(copies.map(nameOfCopy))}`;
}

/** Returns the panel's clients created for a program. They have its name, followed by a number from the second one on. */
const clientsOf = ({ name }: FoundClient, clients: readonly ClientView[]): readonly ClientView[] =>
  clients.filter((client) => client.name.replace(/ \d+$/, '') === name);

/**
 * Text about whether a program has begun to use the panel for the servers that were moved to it, or still uses it although they
 * were moved back, with advice if so; undefined if there is nothing to say. @param changedAt time of the last known change
 */
export function arrivalWords(
  program: FoundClient,
  clients: readonly ClientView[],
  changedAt: number | undefined,
  now: number,
): string | undefined {
  const { copies, reload, servers } = program;
  const moved = [...new Set(servers.filter((server) => server.moved).map(({ name }) => name))];
  const own = clientsOf(program, clients);
  const used = new Set(own.flatMap(({ sessions }) => sessions.map(({ server }) => server)));
  if (moved.length === 0)
    return used.size > 0 && changedAt !== undefined ? `Still uses the panel. ${reload}` : undefined;
  const kept = moved.filter((name) => copies.some(({ server }) => server === name));
  if (kept.length > 0) return `Still runs its own ${listWords(kept)}. ${reload}`;
  // A program that reaches the panel through another program has no client with its name.
  if (own.length === 0) return reload;
  const since = changedAt ?? Math.max(...own.map(({ createdAt }) => createdAt));
  const seenAt = Math.max(...own.map(({ lastSeenAt = -Infinity }) => lastSeenAt));
  if (seenAt < since) return `Has not connected since the move. ${reload}`;
  if (used.size === 0) return `Has connected since the move, last seen ${formatAgo(now - seenAt)}.`;
  const missing = moved.filter((name) => !used.has(name));
  // A moved server may have another name in the panel, so it also suffices if the program uses as many servers as were moved.
  if (missing.length === 0 || used.size >= moved.length) return 'Has reconnected.';
  return `Has reconnected, but not yet to ${listWords(missing)}. ${reload}`;
}
