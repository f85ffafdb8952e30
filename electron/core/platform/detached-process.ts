import { spawn } from 'node:child_process';
import { withoutInheritance } from './inherited-descriptors.ts';

interface DetachedOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly cwd?: string;
  /**
   * True if the caller waits until the process writes something. Otherwise its output is dropped, because the process may
   * outlive the panel, and then nothing reads it.
   */
  readonly speaks?: boolean;
}

/** A process that outlives this one. */
export interface DetachedProcess {
  readonly pid: number | undefined;
  readonly write: (text: string) => void;
  readonly end: () => void;
  readonly kill: () => void;
  readonly spoke: Promise<void>;
  /** Resolves with the reason why it ended or did not start. Never rejects. */
  readonly ended: Promise<string>;
}

/**
 * Starts a process in its own session, so that Ctrl-C does not reach it. From the panel it inherits only its stdin, which ends
 * when the panel does.
 */
export function spawnDetached(
  command: string,
  args: readonly string[],
  { env, platform, cwd, speaks = false }: DetachedOptions,
): DetachedProcess {
  const child = withoutInheritance(platform, ([, , , ...closed]) =>
    spawn(command, args, {
      detached: true,
      stdio: ['pipe', speaks ? 'pipe' : 'ignore', 'ignore', ...closed],
      cwd,
      env: { ...env },
      windowsHide: true,
    }),
  );
  const { stdin, stdout } = child;
  const spoke = new Promise<void>((resolve) => stdout?.once('data', () => resolve()));
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`${command} ended with ${signal ?? `exit code ${code}`}`));
    child.once('error', (error) => resolve(error.message));
  });
  // If the pipe breaks, the process has ended, which `ended` reports.
  stdin?.on('error', () => undefined);
  child.unref();
  for (const pipe of [stdin, stdout]) (pipe as { unref?: () => void } | null)?.unref?.();
  return {
    pid: child.pid,
    write: (text) => void stdin?.write(text),
    end: () => void stdin?.end(),
    kill: () => {
      // `ref` keeps the event loop alive for callers that wait until the process has ended.
      child.ref();
      child.kill('SIGKILL');
    },
    spoke,
    ended,
  };
}
