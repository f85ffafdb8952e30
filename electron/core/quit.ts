import type { Clock } from './clock.ts';
import type { QuitWay } from './doorkeeper/stand-by.ts';
import { settlesWithin } from './wait.ts';
import { messageOf } from '../../shared/message-of.ts';

/**
 * Maximum milliseconds of quitting: longer than the longest stop of a server with default settings. After that, the next start
 * of the panel ends the processes that are left.
 */
export const QUIT_LIMIT_MS = 20_000;

/**
 * Maximum milliseconds at the end of a desktop session. Systems kill its programs after 5 s: Linux by logind's default,
 * Windows by that of its desktop.
 */
export const SESSION_END_LIMIT_MS = 4000;

/** What quitting needs of Electron's `app`. */
interface QuittingApp {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  exit(exitCode: number): void;
  quit(): void;
}

export interface ReleaseOptions {
  readonly clock: Clock;
  readonly release: () => Promise<void>;
  /** One line for the terminal. */
  readonly notice: (line: string) => void;
}

interface OrderlyQuitOptions extends ReleaseOptions {
  readonly app: Pick<QuittingApp, 'on' | 'exit'>;
}

export interface OrderlyQuit {
  /** Quits without a question, as on a signal. */
  now(): void;
  /**
   * Asks as every quit of a person does; then ends all that serves clients as well. The last wish counts, because a person may
   * think again while the question is open.
   */
  andStopServing(): void;
  /** The session or the machine ends: the same, within `SESSION_END_LIMIT_MS`, because a system that is held up longer ends us. */
  sessionEnds(): void;
  /** Calls `listener` once, in the turn in which quitting begins, before anything is released. */
  whenBegun(listener: (way: QuitWay) => void): void;
  /** From now on whoever asks to quit in another way waits for `mayQuit`, which is asked each time. */
  askFirst(mayQuit: () => Promise<boolean>): void;
}

/** Every way of quitting first releases everything, within a bound, and then ends with exit code 0. */
export function installOrderlyQuit({ app, ...releasing }: OrderlyQuitOptions): OrderlyQuit {
  let isQuitting = false;
  let hasExited = false;
  let asked: QuitWay = 'quit';
  let onBegun: ((way: QuitWay) => void) | undefined;
  let mayQuit: (() => Promise<boolean>) | undefined;
  app.on('before-quit', (event) => {
    event.preventDefault();
    ask('quit');
  });

  function ask(way: QuitWay): void {
    if (isQuitting) return;
    asked = way;
    if (mayQuit === undefined) return begin(way);
    mayQuit().then(
      (may) => may && begin(asked),
      (error: unknown) => {
        releasing.notice(`quitting without a question: ${describe(error)}`);
        begin(asked);
      },
    );
  }

  function begin(way: QuitWay): void {
    if (isQuitting) return;
    isQuitting = true;
    try {
      onBegun?.(way);
    } catch (error) {
      // A listener that fails keeps nobody from quitting.
      releasing.notice(`while quitting: ${describe(error)}`);
    }
    // The window may be in the middle of the key press that asked; destroying it now would crash the process.
    setImmediate(() => void releaseAll(releasing).then(exit));
  }

  function sessionEnds(): void {
    begin('end');
    releasing.clock.setTimeout(() => {
      if (hasExited) return;
      releasing.notice(`the session ends: quitting after ${SESSION_END_LIMIT_MS / 1000} s`);
      exit();
    }, SESSION_END_LIMIT_MS);
  }

  function exit(): void {
    if (hasExited) return;
    hasExited = true;
    app.exit(0);
  }

  return {
    now: () => begin('end'),
    andStopServing: () => ask('end'),
    sessionEnds,
    askFirst: (question) => (mayQuit = question),
    whenBegun: (listener) => (onBegun = listener),
  };
}

/** Releases everything, within a bound. Never rejects: what went wrong is told. */
export async function releaseAll({ clock, release, notice }: ReleaseOptions): Promise<void> {
  const released = release().catch((error: unknown) => notice(`while quitting: ${describe(error)}`));
  if (!(await settlesWithin(clock, released, QUIT_LIMIT_MS))) {
    notice(`quitting without waiting longer: servers did not end within ${QUIT_LIMIT_MS / 1000} s`);
  }
}

/** A terminal's Ctrl+C, a launcher's TERM, a closed session. Returns the undo. */
export function quitOnSignals(
  app: Pick<QuittingApp, 'quit'>,
  signals: NodeJS.EventEmitter = process,
): () => void {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const quit = () => app.quit();
  for (const name of names) signals.on(name, quit);
  return () => {
    for (const name of names) signals.off(name, quit);
  };
}

function describe(error: unknown): string {
  const causes = error instanceof AggregateError ? error.errors : [error];
  return causes.map(messageOf).join('; ');
}
