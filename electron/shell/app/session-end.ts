import type { BaseWindow as BaseWindowType } from 'electron';

/** Event that may be held up, where Electron lets it. */
interface ShutdownEvent {
  preventDefault?: () => void;
}

type OnSessionEnd = (event: 'session-end', listener: () => void) => unknown;

export interface SessionEndOptions {
  readonly platform: NodeJS.Platform;
  readonly app: {
    on(
      event: 'browser-window-created',
      listener: (event: unknown, window: { on: OnSessionEnd }) => void,
    ): unknown;
  };
  readonly powerMonitor: { on(event: 'shutdown', listener: (event?: ShutdownEvent) => void): unknown };
  /** Makes a window that nobody sees. Undefined where this Electron has no windows without a page. */
  readonly createBareWindow: (() => Pick<BaseWindowType, 'destroy'> & { on: OnSessionEnd }) | undefined;
  /** No window is opened for now. */
  readonly startsHidden: boolean;
  readonly onEnd: () => void;
}

/**
 * Tells that a person logs out, or that the machine goes down. Windows says so to windows alone, so that a start without
 * one gets a bare one, which nobody sees; macOS and Linux say so to the process, and wait for it a moment when asked to.
 * Registered for the life of the app. Returns the undo of what was made.
 */
export function watchSessionEnd(options: SessionEndOptions): () => void {
  const { app, createBareWindow, onEnd, platform, powerMonitor, startsHidden } = options;
  if (platform !== 'win32') {
    powerMonitor.on('shutdown', (event) => {
      // Without this, Electron would let the system go on at once, and macOS would ask us to quit in its own way besides.
      event?.preventDefault?.();
      onEnd();
    });
    return () => undefined;
  }
  // Its question before the end ("query-session-end") is left unanswered, because a person may still cancel the end.
  app.on('browser-window-created', (_event, window) => window.on('session-end', onEnd));
  const bare = startsHidden ? createBareWindow?.() : undefined;
  bare?.on('session-end', onEnd);
  return () => bare?.destroy();
}
