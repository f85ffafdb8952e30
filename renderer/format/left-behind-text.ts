import type { EndLeftOutcome, LeftTreeView } from '../../shared/ipc/topics/left-behind.ts';
import { formatMemory, formatPlural, trimZeros } from './figures.ts';
import { formatDate, formatDay, formatHourMinute } from './moments.ts';

const processText = (count: number): string => formatPlural(count, 'process', 'processes');
export const processCount = (trees: readonly LeftTreeView[]): number =>
  trees.reduce((sum, { pids }) => sum + pids.length, 0);
const memoryText = (trees: readonly LeftTreeView[]): string =>
  trimZeros(formatMemory(trees.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)));

/** Start time of a process: `14:02`, or the date if the process did not start today. */
export const startText = (at: number, now: number): string =>
  formatDay(at) === formatDay(now) ? formatHourMinute(at) : formatDate(at);

/** Text such as "9 processes that Claude Code left behind since 12 Nov use 4.1 GiB". */
export function leftBehindText(trees: readonly LeftTreeView[], now: number): string {
  const names = new Set(trees.map(({ client }) => client));
  const [only] = names;
  const owner = names.size === 1 && only !== undefined ? only : 'clients';
  const starts = trees.flatMap(({ startedAt }) => startedAt ?? []);
  const since = starts.length === 0 ? '' : ` since ${startText(Math.min(...starts), now)}`;
  const verb = trees.every(({ certain }) => certain) ? 'left' : 'may have left';
  const count = processCount(trees);
  const use = count === 1 ? 'uses' : 'use';
  return `${processText(count)} that ${owner} ${verb} behind${since} ${use} ${memoryText(trees)}`;
}

/** Name of a process tree: its server entry, and in parentheses the program that it runs. */
export const treeName = ({ program, server }: LeftTreeView): string =>
  server === undefined || server === program ? program : `${server} (${program})`;

/** Text for a process tree in a question: "context7 (context7-mcp), 3 processes, 1.2 GiB". */
export const treeLine = (tree: LeftTreeView): string =>
  `${treeName(tree)}, ${processText(tree.pids.length)}, ${memoryText([tree])}`;

/** Text about the result of ending process trees, as separate sentences. */
export function outcomeText(outcome: EndLeftOutcome, asked: readonly LeftTreeView[]): readonly string[] {
  const nameOf = (id: string) => {
    const tree = asked.find((one) => one.id === id);
    return tree === undefined ? id : treeName(tree);
  };
  const ended = asked.filter(({ id }) => outcome.ended.includes(id));
  const { refused, spared } = outcome;
  const parts = [
    ended.length > 0 &&
      `Ended ${processText(processCount(ended) - spared.length)}, which used ${memoryText(ended)}.`,
    spared.length > 0 &&
      `Left ${spared.length === 1 ? 'the daemon' : 'the daemons'} ${spared.join(', ')} running, which other programs may use.`,
    ...refused.map(({ id, reason }) => `Not ended: ${nameOf(id)}. ${reason}`),
  ];
  return parts.filter((words) => words !== false);
}
