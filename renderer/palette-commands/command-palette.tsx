import { keepText, readKeptJson } from '../store/kept-view.ts';
import type { ManageStore } from '../store/manage-store.ts';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { markOrder, markWords, needsAttention, shownMark } from '../../shared/server-states.ts';
import { useTheme } from '../settings/use-theme.ts';
import { Icon } from '../ui/icon.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { usePanel, useRoute, useServices } from '../services.ts';
import { rank, type Ranked } from './rank.ts';
import { ownValue } from '../../shared/own-value.ts';
import type { ServerView } from '../../shared/domain.ts';
import { type CommandContext, commands, serverCommandsById } from '../commands/command-table.ts';
import { shownKeys } from '../commands/shortcuts.ts';
import { formatMemory } from '../format/figures.ts';

/** Maximum number of commands shown. The user finds the others by typing. */
const MAX_SHOWN = 60;

/** Palette of all commands by name: the user types a few letters and presses Enter. */
export function CommandPalette() {
  const { manage } = useServices();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = useFound(typed);
  const at = Math.min(chosen, found.length - 1);
  const dialog = useModal();
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [dialog, chosen, typed]);

  const run = (command: PanelCommand) => leaveFor(manage, command);
  const press = (event: KeyboardEvent) => {
    const move = movedTo(event.key, at, found.length);
    const command = found[at]?.item;
    if (event.key === 'Escape') manage.close();
    else if (event.key === 'Enter' && command !== undefined) run(command);
    else if (move !== undefined) setChosen(move);
    else return;
    event.preventDefault();
  };
  const type = (letters: string) => {
    setTyped(letters);
    setChosen(0);
  };
  return (
    <dialog
      ref={dialog}
      className="modal w-560 mx-auto mt-[12vh] mb-auto"
      aria-label="Commands"
      onKeyDown={press}
      onCancel={() => manage.close()}
      // A press outside the palette's content has the dialog itself as its target, and closes the palette.
      onPointerDown={(event) => event.target === event.currentTarget && manage.close()}
    >
      <div>
        <SearchLine typed={typed} activeId={found.length > 0 ? `command-${at}` : undefined} onType={type} />
        <div
          id="commands"
          role="listbox"
          aria-label="Commands"
          className="max-h-[min(340px,60vh)] p-6 overflow-auto empty:hidden"
        >
          {found.map((one, index) => (
            <CommandRow
              key={one.item.words}
              id={`command-${index}`}
              found={one}
              isChosen={index === at}
              onChoose={() => setChosen(index)}
              onRun={() => run(one.item)}
            />
          ))}
        </div>
        {found.length === 0 && <p className="px-16 py-12 text-dim">Nothing is called “{typed}”.</p>}
      </div>
    </dialog>
  );
}

function leaveFor(manage: ManageStore, command: PanelCommand): void {
  manage.close();
  if (command.isHarmful !== true) noteRecent(localStorage, command.words);
  // The command runs after the focus has returned, so that a dialog opened by the command later returns the focus to the same
  // element.
  requestAnimationFrame(() => command.run());
}

/** Returns a ref for a dialog element. The dialog is opened as a modal when it is mounted, and closed when it is unmounted. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return dialog;
}

/** Commands that apply now and match the typed text. */
function useFound(typed: string): readonly Ranked<PanelCommand>[] {
  const services = useServices();
  const route = useRoute();
  const names = usePanel((state) => state.names);
  const theme = useTheme();
  const current = route.view === 'server' ? route.name : undefined;
  const commands = useMemo(() => {
    const servers = names.flatMap((name) => services.panel.getState().servers.get(name) ?? []);
    const recent = readRecent(localStorage);
    return panelCommands({ context: { ...services, theme }, servers, current, recent });
    // Commands are fixed when the palette opens, so that no row moves while the user is choosing.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [services, names, current]);
  return useMemo(() => rank(commands, typed).slice(0, MAX_SHOWN), [commands, typed]);
}

/** Index of the row to which a key moves; undefined for any other key. */
function movedTo(key: string, at: number, count: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % Math.max(count, 1),
    ArrowUp: (at + count - 1) % Math.max(count, 1),
    PageDown: Math.min(at + 8, count - 1),
    PageUp: Math.max(at - 8, 0),
  };
  return ownValue(moves, key);
}

interface SearchLineProps {
  readonly typed: string;
  readonly activeId: string | undefined;
  readonly onType: (letters: string) => void;
}

const SearchLine = ({ typed, activeId, onType }: SearchLineProps) => (
  <label className="flex items-center gap-8 h-44 px-16 border-b border-line text-dim focus-within:border-accent">
    <Icon name="search" />
    <input
      className="min-w-0 flex-1 border-0 bg-transparent font-sans text-16/20 text-text placeholder:text-faint focus-visible:outline-none"
      role="combobox"
      aria-label="Command"
      aria-expanded
      aria-controls="commands"
      aria-activedescendant={activeId}
      autoFocus
      spellCheck={false}
      placeholder="Server or command"
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  </label>
);

interface CommandRowProps {
  readonly id: string;
  readonly found: Ranked<PanelCommand>;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onRun: () => void;
}

function CommandRow({ id, found, isChosen, onChoose, onRun }: CommandRowProps) {
  const { server, figures, shortcut } = found.item;
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className="flex items-center gap-8 h-32 px-8 rounded-md whitespace-nowrap aria-selected:bg-accent-soft"
      onPointerMove={onChoose}
      onClick={onRun}
    >
      <span className="flex flex-none w-14">
        {server !== undefined && <StateShape kind={shownMark(server)} />}
      </span>
      <span className="min-w-0 flex-1 truncate">
        <Words of={found} />
      </span>
      {figures !== undefined && <span className="flex-none text-12 text-dim">{figures}</span>}
      {shortcut !== '' && <kbd className="shortcut">{shortcut}</kbd>}
    </div>
  );
}

function Words({ of: { item, hits } }: { readonly of: Ranked<PanelCommand> }) {
  const hit = new Set(hits);
  return [...item.words].map((letter, index) => (hit.has(index) ? <b key={index}>{letter}</b> : letter));
}

const KEY = 'mcp-control-panel.recent-commands';
/** Maximum number of recent commands, few enough to be seen at a glance. */
const MAX_KEPT = 6;

/** Texts of the most recently run commands, latest first, from the app window's storage. */
export function readRecent(storage: Pick<Storage, 'getItem'>): readonly string[] {
  const kept = readKeptJson(storage, KEY);
  return Array.isArray(kept) ? kept.filter((words) => typeof words === 'string').slice(0, MAX_KEPT) : [];
}

/** Adds a command to the stored list of recently run commands. */
export function noteRecent(storage: Pick<Storage, 'getItem' | 'setItem'>, words: string): void {
  const others = readRecent(storage).filter((other) => other !== words);
  keepText(storage, KEY, JSON.stringify([words, ...others].slice(0, MAX_KEPT)));
}

/** Command in the palette, found by its text. */
interface PanelCommand {
  readonly words: string;
  /** Keyboard shortcut of the command as text; empty if it has none. */
  readonly shortcut: string;
  /** Server that the command affects; absent for a general command. */
  readonly server?: ServerView;
  /** State and memory of that server when the palette was opened; undefined except for the command that opens the server. */
  readonly figures?: string;
  /** Whether the command removes or stops something. */
  readonly isHarmful?: boolean;
  readonly run: () => void;
}

interface CommandSource {
  readonly context: CommandContext;
  /** Servers in the order of the server list. */
  readonly servers: readonly ServerView[];
  /** Name of the server whose page is open; its commands come before those of others. */
  readonly current: string | undefined;
  /** Texts of the commands run last, the latest first. */
  readonly recent: readonly string[];
}

/** Maximum servers listed before the recent commands, few enough to keep those in view. The user finds others by typing. */
const SERVERS_FIRST = 6;

/**
 * Commands that apply now; commands that do not apply are left out. Servers come first, with servers in trouble before others,
 * then the recent commands. Harmful commands come last, so that pressing Enter before typing anything cannot stop all servers.
 */
export function panelCommands({ context, servers, current, recent }: CommandSource): readonly PanelCommand[] {
  const calmLast = servers.toSorted((a, b) => badnessOf(a) - badnessOf(b));
  const own = servers.filter(({ name }) => name === current).flatMap((server) => commandsOf(context, server));
  // Keyboard shortcuts act on the server whose page is open, so the same commands of other servers show no shortcut.
  const others = calmLast
    .filter(({ name }) => name !== current)
    .flatMap((server) => commandsOf(context, server).map((command) => ({ ...command, shortcut: '' })));
  const opening = others.filter(({ figures }) => figures !== undefined);
  const all = [...own, ...generalCommands(context), ...opening, ...others];
  const harmless = all.filter(isHarmless);
  const recently = recent.flatMap((text) => harmless.find(({ words }) => words === text) ?? []);
  return [...new Set([...opening.slice(0, SERVERS_FIRST), ...recently, ...harmless, ...all])];
}

/** Returns a server's sort position: servers in trouble come first, the worst at the top. All others have the same position. */
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
