import type { Clock } from './clock.ts';
import type { QuitWay } from './doorkeeper/stand-by.ts';
import { settlesWithin } from './wait.ts';
import { messageOf } from '../../shared/message-of.ts';

/**
 * Maximum milliseconds for quitting: longer than the longest stop of a server with default settings. Server processes that
 * still run after that are ended when the panel starts the next time.
 */
export const QUIT_LIMIT_MS = 20_000;

/**
 * Maximum milliseconds for quitting when the desktop session ends. The system kills programs 5 s after that: on Linux, this is
 * the default of logind, on Windows that of the desktop.
 */
export const SESSION_END_LIMIT_MS = 4000;

/** Part of Electron's `app` that quitting uses. */
interface QuittingApp {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  exit(exitCode: number): void;
  quit(): void;
}

export interface ReleaseOptions {
  readonly clock: Clock;
  readonly release: () => Promise<void>;
  /** Writes one line to the terminal. */
  readonly notice: (line: string) => void;
}

interface OrderlyQuitOptions extends ReleaseOptions {
  readonly app: Pick<QuittingApp, 'on' | 'exit'>;
}

export interface OrderlyQuit {
  /** Quits without asking the user. Ends everything that serves clients, too. */
  now(): void;
  /**
   * Asks the user for confirmation, as every other quit does. Then ends the panel together with everything that serves clients,
   * instead of leaving it running. If several requests arrive while the question is open, the last one decides what is ended.
   */
  andStopServing(): void;
  /** Quits because the session or the machine ends, within `SESSION_END_LIMIT_MS`, because the system kills slower programs. */
  sessionEnds(): void;
  /** Calls `listener` once, in the event-loop tick in which quitting begins, before anything is released. */
  whenBegun(listener: (way: QuitWay) => void): void;
  /**
   * Sets the function that asks the user for confirmation. From then on, every quit except `now` and `sessionEnds` first calls
   * `mayQuit`, and is cancelled if that resolves to false.
   */
  askFirst(mayQuit: () => Promise<boolean>): void;
}

/** Makes every way of quitting first release everything (`release`), within a time limit, and then exit with code 0. */
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
      // A failing listener must not prevent quitting.
      releasing.notice(`while quitting: ${describe(error)}`);
    }
    // The window may still be processing the key press that requested the quit; destroying it now would crash the process.
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

/** Releases everything, within a time limit. Never rejects; errors are reported. */
export async function releaseAll({ clock, release, notice }: ReleaseOptions): Promise<void> {
  const released = release().catch((error: unknown) => notice(`while quitting: ${describe(error)}`));
  if (!(await settlesWithin(clock, released, QUIT_LIMIT_MS))) {
    notice(`quitting without waiting longer: servers did not end within ${QUIT_LIMIT_MS / 1000} s`);
  }
}

/** Quits on Ctrl+C, SIGTERM from a launcher, and SIGHUP at the end of a session. Returns a function that removes the handlers. */
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
