import type { ServerView } from '../../shared/domain.ts';
import { commands, serverCommandsById, type CommandContext } from '../commands/command-table.ts';
import { shownKeys } from '../commands/shortcuts.ts';
import { formatCpu, formatMemory } from '../format/figures.ts';

/** Command that can be given by name. */
export interface PanelCommand {
  readonly words: string;
  /** Its keys, or an empty text if it has none. */
  readonly shortcut: string;
  /** Server that the command is about. */
  readonly server?: ServerView;
  /** What that server uses, as of when the palette was opened. */
  readonly figures?: string;
  /** Whether it is never among the recent ones, because it reaches all servers at once. */
  readonly isNotRecent?: boolean;
  readonly run: () => void;
}

export interface CommandSource {
  readonly context: CommandContext;
  /** Servers in the order shown. */
  readonly servers: readonly ServerView[];
  /** Server whose page is open; its commands come first. */
  readonly current: string | undefined;
}

/** Commands that are possible now; the others are left out because here they would only be in the way. */
export function panelCommands({ context, servers, current }: CommandSource): readonly PanelCommand[] {
  const own = servers.filter(({ name }) => name === current);
  // The keys act on the server in view, so only its commands show them.
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
