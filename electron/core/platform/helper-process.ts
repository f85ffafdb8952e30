import { fork } from 'node:child_process';
import { withoutInheritance } from './inherited-descriptors.ts';

/** A program of the panel that runs in a separate process and answers messages. */
export interface HelperProcess {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Calls the listener with the reason once the process has ended or failed to start, also after `kill`. */
  onEnd(listener: (reason: string) => void): void;
  /** Ends the process immediately, even while it is busy or waits. Idempotent. */
  kill(): void;
}

/** Runs a file of the panel in a new process of the current Node. Its output is dropped. It inherits no file descriptors. */
export function forkHelper(file: string | URL): HelperProcess {
  const child = withoutInheritance(process.platform, ([, , , , ...closed]) =>
    fork(file, {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', ...closed],
      windowsHide: true,
    } as object),
  );
  return {
    send: (message) => void child.send(message as object, () => undefined),
    onMessage: (listener) => child.on('message', listener),
    onEnd: (listener) => {
      child.once('exit', (code, signal) => listener(`its helper ended (${signal ?? code ?? 'unknown'})`));
      child.once('error', (error) => listener(error.message));
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
