/**
 * Texts of states, and the commands that are allowed in each state, for the app window and the tray. Imports nothing, because
 * the page must not load schemas.
 */
export const stateKinds = [
  'stopped',
  'starting',
  'running',
  'suspect',
  'stalled',
  'backoff',
  'stopping',
  'failed',
  'asleep',
] as const;
export type StateKind = (typeof stateKinds)[number];

/** Fields of a `ServerView` that determine which state is shown. */
export interface JudgedServer {
  readonly state: { readonly kind: StateKind };
  /** Number of automatic starts since the last stable run. */
  readonly restartAttempt: number;
  /** Defined while the server counts as unstable because of its restart history. */
  readonly unstable?: object | undefined;
}

/** State of a server as shown, or `unstable` for a running server whose runs keep ending. */
export type ShownMark = StateKind | 'unstable';

/** Name of each state, used everywhere: rows, pages, tray, automation. */
export const stateWords: Readonly<Record<StateKind, string>> = {
  stopped: 'Stopped',
  starting: 'Starting',
  running: 'Running',
  suspect: 'Suspect',
  stalled: 'Not responding',
  backoff: 'Restarting',
  stopping: 'Stopping',
  failed: 'Failed',
  asleep: 'Asleep',
};
export const markWords: Readonly<Record<ShownMark, string>> = { ...stateWords, unstable: 'Unstable' };

/** States, worst first. Servers that are asleep or stopped need no attention, so they come after running servers. */
export const severityOrder: readonly StateKind[] = [
  'failed',
  'stalled',
  'backoff',
  'suspect',
  'starting',
  'stopping',
  'running',
  'asleep',
  'stopped',
];

/** Shown states including `unstable`, worst first. Unstable servers come after servers that are in trouble now. */
export const markOrder: readonly ShownMark[] = severityOrder.flatMap((kind): readonly ShownMark[] =>
  kind === 'suspect' ? [kind, 'unstable'] : [kind],
);

const attentionMarks: ReadonlySet<ShownMark> = new Set([
  'failed',
  'stalled',
  'backoff',
  'suspect',
  'unstable',
]);

/** True if the server needs the user's attention. A server that the user stopped does not. */
export const needsAttention = (mark: ShownMark): boolean => attentionMarks.has(mark);

/** True if the server was stopped, or is being stopped. */
export const isEnded = (kind: ShownMark): boolean => kind === 'stopping' || kind === 'stopped';

/**
 * Returns the state that is shown for a server. A server that the panel is restarting is shown as `backoff` (Restarting),
 * because it is still in trouble, even if it is briefly up.
 */
export const shownState = ({ state, restartAttempt }: JudgedServer): StateKind =>
  state.kind === 'starting' && restartAttempt > 0 ? 'backoff' : state.kind;

/** Returns the shown state, or `unstable` for a running server that is unstable. Any other state takes precedence. */
export const shownMark = (server: JudgedServer): ShownMark => {
  const kind = shownState(server);
  return kind === 'running' && server.unstable !== undefined ? 'unstable' : kind;
};

export const serverCommands = ['start', 'stop', 'restart'] as const;
export type ServerCommand = (typeof serverCommands)[number];

/** Names of the commands on buttons, in menus and in the palette. */
export const commandWords: Readonly<Record<ServerCommand, string>> = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
};

/** For each command, true if it makes sense now. */
export type AllowedCommands = Readonly<Record<ServerCommand, boolean>>;

const whileDown: AllowedCommands = { start: true, stop: false, restart: true };
const whileUp: AllowedCommands = { start: false, stop: true, restart: true };

const allowed: Readonly<Record<StateKind, AllowedCommands>> = {
  stopped: whileDown,
  failed: whileDown,
  backoff: { start: true, stop: true, restart: true },
  // A restart would interrupt an install, which corrupts the caches of npx and uvx. Stop remains available because the user may
  // want it deliberately.
  starting: { start: false, stop: true, restart: false },
  running: whileUp,
  suspect: whileUp,
  stalled: whileUp,
  stopping: { start: false, stop: false, restart: false },
  asleep: { start: true, stop: true, restart: true },
};

/**
 * Returns the commands that the app window and the tray offer. They depend on the supervisor's state instead of the shown one,
 * because Start is pointless while a server restarts. Returns the same object for the same state.
 */
export const commandsFor = ({ state }: Pick<JudgedServer, 'state'>): AllowedCommands => allowed[state.kind];
