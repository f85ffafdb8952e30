import type { BaseWindow as BaseWindowType } from 'electron';

/** Event whose default action can be prevented, if this Electron supports it. */
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
  /** Creates an invisible window. Undefined if this Electron does not support windows without a page. */
  readonly createBareWindow: (() => Pick<BaseWindowType, 'destroy'> & { on: OnSessionEnd }) | undefined;
  /** Whether the app starts without a window. */
  readonly startsHidden: boolean;
  readonly onEnd: () => void;
}

/**
 * Calls `onEnd` when the user logs out or the machine shuts down. Windows reports this only to windows, so the app creates an
 * invisible one if it starts without an app window. macOS and Linux report it to the process, and wait briefly if the process
 * asks them to. Watches for the lifetime of the app. Returns a function that destroys the invisible window.
 */
export function watchSessionEnd(options: SessionEndOptions): () => void {
  const { app, createBareWindow, onEnd, platform, powerMonitor, startsHidden } = options;
  if (platform !== 'win32') {
    powerMonitor.on('shutdown', (event) => {
      // Without this call, Electron lets the system continue immediately, and macOS also quits the app in its own way.
      event?.preventDefault?.();
      onEnd();
    });
    return () => undefined;
  }
  // The event "query-session-end" comes earlier, but it is not handled, because the user may still cancel the end of the
  // session.
  app.on('browser-window-created', (_event, window) => window.on('session-end', onEnd));
  const bare = startsHidden ? createBareWindow?.() : undefined;
  bare?.on('session-end', onEnd);
  return () => bare?.destroy();
}
