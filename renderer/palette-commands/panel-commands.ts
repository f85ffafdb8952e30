import type { ServerView } from '../../shared/domain.ts';
import { markOrder, markWords, needsAttention, shownMark } from '../../shared/server-states.ts';
import { commands, serverCommandsById, type CommandContext } from '../commands/command-table.ts';
import { shownKeys } from '../commands/shortcuts.ts';
import { formatMemory } from '../format/figures.ts';

/** Command that can be run by name. */
export interface PanelCommand {
  readonly words: string;
  /** Keys of the command as text; empty if it has none. */
  readonly shortcut: string;
  /** Server to which the command applies. */
  readonly server?: ServerView;
  /** State and memory of that server when the palette was opened; undefined for all commands but the one that opens it. */
  readonly figures?: string;
  /** Whether the command takes something away. */
  readonly isHarmful?: boolean;
  readonly run: () => void;
}

export interface CommandSource {
  readonly context: CommandContext;
  /** Servers in the order shown. */
  readonly servers: readonly ServerView[];
  /** Name of the server whose page is open; its commands come before those of others. */
  readonly current: string | undefined;
  /** Texts of the commands run last, the latest first. */
  readonly recent: readonly string[];
}

/** Servers before the recent commands, so few that these are in view. Others are found by typing. */
const SERVERS_FIRST = 6;

/**
 * Commands that apply now; others are left out, because they would only be in the way. Servers come first, those in trouble
 * before others, then the recent commands. What is harmful comes last, because Enter before the first letter must not stop all
 * servers.
 */
export function panelCommands({ context, servers, current, recent }: CommandSource): readonly PanelCommand[] {
  const calmLast = servers.toSorted((a, b) => badnessOf(a) - badnessOf(b));
  const own = servers.filter(({ name }) => name === current).flatMap((server) => commandsOf(context, server));
  // Shortcuts act on the server in view, so only its commands show them.
  const others = calmLast
    .filter(({ name }) => name !== current)
    .flatMap((server) => commandsOf(context, server).map((command) => ({ ...command, shortcut: '' })));
  const opening = others.filter(({ figures }) => figures !== undefined);
  const all = [...own, ...generalCommands(context), ...opening, ...others];
  const harmless = all.filter(isHarmless);
  const recently = recent.flatMap((text) => harmless.find(({ words }) => words === text) ?? []);
  return [...new Set([...opening.slice(0, SERVERS_FIRST), ...recently, ...harmless, ...all])];
}

/** Place among servers in trouble, the worst first; the same for all others. */
function badnessOf(server: ServerView): number {
  const mark = shownMark(server);
  return needsAttention(mark) ? markOrder.indexOf(mark) : markOrder.length;
}
const isHarmless = ({ isHarmful }: PanelCommand): boolean => isHarmful !== true;

const figuresOf = (server: ServerView): string =>
  [markWords[shownMark(server)], server.sample && formatMemory(server.sample.memoryBytes)]
    .filter(Boolean)
    .join(' · ');

const commandsOf = (context: CommandContext, server: ServerView): readonly PanelCommand[] =>
  [...serverCommandsById].flatMap(([id, { name, when, run, isHarmful = false, ...command }]) => {
    const words = typeof name === 'function' ? name(server, context) : name;
    if (words === undefined || when?.(server) === false) return [];
    return {
      words: `${words} ${server.name}`,
      shortcut: shownKeys(command),
      server,
      ...(id === 'overview' && { figures: figuresOf(server) }),
      isHarmful,
      run: () => run(context, server.name),
    };
  });

const generalCommands = (context: CommandContext): readonly PanelCommand[] =>
  commands.flatMap(({ name, when, run, isHarmful = false, ...command }) =>
    name === undefined || when?.(context) === false
      ? []
      : {
          words: typeof name === 'function' ? name(context) : name,
          shortcut: shownKeys(command),
          isHarmful,
          run: () => run(context),
        },
  );
