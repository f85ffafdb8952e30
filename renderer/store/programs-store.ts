import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { FoundClient } from '../../shared/ipc/topics/programs.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import type { ClockStore } from './clock-store.ts';

/** An entry that another program overwrites is seen within five seconds. */
const LOOK_AGAIN_MS = 4000;

/** Whether there is an entry that can be put back. */
export const hasMoved = ({ servers }: FoundClient): boolean =>
  servers.some(({ moved, lost }) => moved || lost);

export interface ProgramsState {
  /** Undefined until the first answer; kept while requests fail. */
  readonly found: readonly FoundClient[] | undefined;
  readonly error: ErrorReport | undefined;
  /** When this window last moved servers of a program, or put them back, by its id. */
  readonly changedAt: ReadonlyMap<string, number>;
}

/** Programs on this machine that use MCP servers, looked for while a view shows them. */
export interface ProgramsStore {
  readonly state: StoreApi<ProgramsState>;
  /** Looks now, and again every few seconds. Returns the unsubscribe function. */
  follow(): () => void;
  /** Looks now. Never rejects. */
  refresh(): Promise<void>;
  /** Remembers that the files of these programs are about to change. */
  changing(programs: readonly string[]): void;
}

export function createProgramsStore(
  api: Pick<ControlPanelApi, 'findClients'>,
  toReport: (reason: unknown) => ErrorReport,
  clock: ClockStore,
): ProgramsStore {
  const state = createStore<ProgramsState>(() => ({
    found: undefined,
    error: undefined,
    changedAt: new Map(),
  }));
  let looking = Promise.resolve();
  let isLooking = false;
  let lookedAt = 0;

  async function look(): Promise<void> {
    isLooking = true;
    lookedAt = clock.getState().now;
    const news = await api.findClients().then(
      (found) => ({ found, error: undefined }),
      (reason: unknown) => ({ error: toReport(reason) }),
    );
    const { found, error } = state.getState();
    if (!isSameJson({ found, error }, { found, ...news })) state.setState(news);
    isLooking = false;
  }
  // One look after the other, because an answer that was asked for before a change may be older than it.
  const refresh = () => (looking = looking.then(look));

  return {
    state,
    refresh,
    follow() {
      void refresh();
      return clock.subscribe(({ now }) => {
        if (!isLooking && now - lookedAt >= LOOK_AGAIN_MS) void refresh();
      });
    },
    changing(programs) {
      const { now } = clock.getState();
      const { changedAt } = state.getState();
      state.setState({ changedAt: new Map([...changedAt, ...programs.map((id) => [id, now] as const)]) });
    },
  };
}
