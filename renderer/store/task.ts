import type { ErrorReport } from '../../shared/error-codes.ts';

/**
 * Status of the last run of a task. `about` is the subject of that run; `since` is the start of the current phase in epoch ms.
 */
export type TaskStatus<Value = unknown, About = unknown> = {
  readonly about: About;
  readonly since: number;
} & (
  | { readonly phase: 'pending' }
  | { readonly phase: 'done'; readonly value: Value }
  | { readonly phase: 'failed'; readonly error: ErrorReport }
);

export type SettledStatus<Value = unknown, About = unknown> = Exclude<
  TaskStatus<Value, About>,
  { readonly phase: 'pending' }
>;

export interface Task<Value, About> {
  /**
   * Does the work and publishes its status. Resolves with the outcome. Resolves with undefined if the run was refused, or a
   * later run, `reset` or `dispose` came in between. Never rejects.
   */
  readonly run: (
    work: () => Promise<Value>,
    about: About,
  ) => Promise<SettledStatus<Value, About> | undefined>;
  /** Removes the status of the last run. A pending run continues, but its outcome is not published. */
  readonly reset: () => void;
  /** Ends publishing for good; later runs are refused. Idempotent. */
  readonly dispose: () => void;
}

export interface TaskOptions<Value, About> {
  readonly toReport: (reason: unknown) => ErrorReport;
  readonly now: () => number;
  readonly publish: (status: TaskStatus<Value, About> | undefined) => void;
  /** Effect of a run while another run is pending: it replaces the pending run (the default), or is refused. */
  readonly whilePending?: 'replace' | 'refuse';
}

/**
 * State machine for one command to the main process, as the window shows it:
 *
 *   (nothing) ── run ──→ pending ──→ done | failed ── run ──→ pending
 *       ↑                   │             │
 *       └────── reset ──────┴─────────────┘
 *
 * The outcome of an earlier run is dropped, because only the latest run may publish.
 */
export function createTask<Value, About = void>({
  toReport,
  now,
  publish,
  whilePending = 'replace',
}: TaskOptions<Value, About>): Task<Value, About> {
  let current: TaskStatus<Value, About> | undefined;
  let isDisposed = false;
  const put = (status: TaskStatus<Value, About> | undefined) => {
    current = status;
    publish(status);
  };

  async function settle(work: () => Promise<Value>, about: About): Promise<SettledStatus<Value, About>> {
    try {
      const value = await work();
      return { about, since: now(), phase: 'done', value };
    } catch (reason) {
      return { about, since: now(), phase: 'failed', error: toReport(reason) };
    }
  }

  return {
    async run(work, about) {
      if (isDisposed || (whilePending === 'refuse' && current?.phase === 'pending')) return undefined;
      const pending: TaskStatus<Value, About> = { about, since: now(), phase: 'pending' };
      put(pending);
      const settled = await settle(work, about);
      if (current !== pending) return undefined;
      put(settled);
      return settled;
    },
    reset: () => {
      if (!isDisposed) put(undefined);
    },
    dispose: () => {
      isDisposed = true;
      current = undefined;
    },
  };
}
