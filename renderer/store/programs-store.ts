import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { FoundClient } from '../../shared/ipc/topics/programs.ts';
import type { ClockStore } from './clock-store.ts';
import { createPolledStore } from './polled-store.ts';

/** An entry that another program overwrites is seen within five seconds. */
const LOOK_AGAIN_MS = 4000;

/** Whether there is an entry that can be put back. */
export const hasMoved = ({ servers }: FoundClient): boolean =>
  servers.some(({ moved, lost }) => moved || lost);

interface Programs {
  /** Undefined until the first answer. */
  readonly found: readonly FoundClient[] | undefined;
  /** When this window last moved servers of a program, or put them back, by its id. */
  readonly changedAt: ReadonlyMap<string, number>;
}

export type ProgramsStore = ReturnType<typeof createProgramsStore>;

/** Programs on this machine that use MCP servers. */
export function createProgramsStore(api: Pick<ControlPanelApi, 'findClients'>, clock: ClockStore) {
  const polled = createPolledStore<Programs>(
    { found: undefined, changedAt: new Map() },
    async () => ({ found: await api.findClients() }),
    clock,
    LOOK_AGAIN_MS,
  );
  return {
    ...polled,
    /** Remembers that the files of these programs are about to change. */
    changing(programs: readonly string[]): void {
      const { now } = clock.getState();
      polled.state.setState(({ changedAt }) => ({
        changedAt: new Map([...changedAt, ...programs.map((id) => [id, now] as const)]),
      }));
    },
  };
}
