import type { ServerView } from '../../shared/domain.ts';
import { commands, serverCommandsById, type CommandContext } from '../commands/command-table.ts';
import { shownKeys } from '../commands/shortcuts.ts';
import { formatCpu, formatMemory } from '../format/figures.ts';

/** Command that can be run by name. */
export interface PanelCommand {
  readonly words: string;
  /** Keys of the command as text; empty if it has none. */
  readonly shortcut: string;
  /** Server to which the command applies. */
  readonly server?: ServerView;
  /** Resource use of that server at the time when the palette was opened. */
  readonly figures?: string;
  /** Whether the command is never among the recent ones, because it affects all servers at once. */
  readonly isNotRecent?: boolean;
  readonly run: () => void;
}

export interface CommandSource {
  readonly context: CommandContext;
  /** Servers in the order shown. */
  readonly servers: readonly ServerView[];
  /** Name of the server whose page is open; its commands come first. */
  readonly current: string | undefined;
}

/** Commands that apply now; others are left out, because they would only be in the way. */
export function panelCommands({ context, servers, current }: CommandSource): readonly PanelCommand[] {
  const own = servers.filter(({ name }) => name === current);
  // Shortcuts act on the server in view, so only its commands show them.
  const others = servers
    .filter(({ name }) => name !== current)
    .map((server) => commandsOf(context, server).map((command) => ({ ...command, shortcut: '' })));
  return [
    ...own.flatMap((server) => commandsOf(context, server)),
    ...generalCommands(context),
    ...others.flatMap(([open]) => (open === undefined ? [] : [{ ...open, ...figuresOf(open.server) }])),
    ...others.flatMap(([, ...further]) => further),
  ];
}

const figuresOf = ({ sample }: ServerView) =>
  sample && { figures: `${formatMemory(sample.memoryBytes)} · ${formatCpu(sample.cpuPercent)}` };

const commandsOf = (context: CommandContext, server: ServerView) =>
  [...serverCommandsById.values()].flatMap(({ name, when, run, ...command }) =>
    name === undefined || when?.(server) === false
      ? []
      : {
          words: `${typeof name === 'function' ? name(server) : name} ${server.name}`,
          shortcut: shownKeys(command),
          server,
          run: () => run(context, server.name),
        },
  );

const generalCommands = (context: CommandContext): readonly PanelCommand[] =>
  commands.flatMap(({ name, when, run, isNotRecent = false, ...command }) =>
    name === undefined || when?.(context) === false
      ? []
      : {
          words: typeof name === 'function' ? name(context) : name,
          shortcut: shownKeys(command),
          isNotRecent,
          run: () => run(context),
        },
  );
