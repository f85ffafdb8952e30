import { spawn } from 'node:child_process';
import { withoutInheritance } from './inherited-descriptors.ts';

interface DetachedOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly cwd?: string;
  /**
   * True if the caller waits for its first output. Otherwise its output is dropped, because the process may outlive the reader.
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
 * Starts a process in its own session, so that Ctrl-C does not reach it. It inherits only stdin, which ends with this process.
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
  // A broken pipe is reported by the end of the process.
  stdin?.on('error', () => undefined);
  child.unref();
  for (const pipe of [stdin, stdout]) (pipe as { unref?: () => void } | null)?.unref?.();
  return {
    pid: child.pid,
    write: (text) => void stdin?.write(text),
    end: () => void stdin?.end(),
    kill: () => {
      // The reference keeps the event loop alive for callers that await the end.
      child.ref();
      child.kill('SIGKILL');
    },
    spoke,
    ended,
  };
}
