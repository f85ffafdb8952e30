import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Reply } from '../../shared/ipc-contract.ts';
import type { CallName } from '../../shared/ipc/topics.ts';

/** What `core-host.ts` is sent. */
export type HostRequest =
  | { readonly kind: 'call'; readonly id: number; readonly name: CallName; readonly args: readonly unknown[] }
  | { readonly kind: 'quit' };

/** What `core-host.ts` sends. */
export type HostMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply<unknown> }
  | { readonly kind: 'push'; readonly channel: string; readonly payload: unknown };

export interface CoreProcess {
  readonly pid: number;
  /** Carries out a call of the contract, with all checks of the main process. */
  call(name: CallName, args: readonly unknown[]): Promise<Reply<unknown>>;
  /** What the core wrote for the terminal. */
  stderr(): string;
  /** Stops all servers in order. Resolves with the exit code. */
  quit(): Promise<number | null>;
  /** Kills the process alone, as a crash does. */
  kill(): Promise<void>;
}

export interface CoreOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether a process keeps its port while it is away, and may start it. Default: no. */
  readonly hasDoorkeeper?: boolean;
  readonly onPush: (channel: string, payload: unknown) => void;
}

/** Starts a core of its own for the home, and resolves when it answers. @throws when it ends before that */
export async function startCore({ home, env, hasDoorkeeper, onPush }: CoreOptions): Promise<CoreProcess> {
  const child = fork(
    join(import.meta.dirname, 'core-host.ts'),
    [home, ...(hasDoorkeeper ? ['doorkeeper'] : [])],
    {
      env,
      execArgv: [],
      // Bytes and figures that JSON cannot hold cross as they do between the processes of Electron.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const pending = new Map<number, (reply: Reply<unknown>) => void>();
  const ready = new Promise<void>((settle) => {
    child.on('message', (message: HostMessage) => {
      if (message.kind === 'ready') settle();
      else if (message.kind === 'push') onPush(message.channel, message.payload);
      else {
        pending.get(message.id)?.(message.reply);
        pending.delete(message.id);
      }
    });
  });
  const failed = exit.then(([code]) => Promise.reject(new Error(`the core ended with ${code}: ${stderr}`)));
  await Promise.race([ready, failed]);
  failed.catch(() => undefined); // Its end is expected from here on.
  let lastId = 0;
  const send = (request: HostRequest) => child.connected && child.send(request);
  return {
    pid: child.pid!,
    call: (name, args) =>
      new Promise((settle) => {
        lastId += 1;
        pending.set(lastId, settle);
        send({ kind: 'call', id: lastId, name, args });
      }),
    stderr: () => stderr,
    quit: async () => {
      send({ kind: 'quit' });
      return (await exit)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
