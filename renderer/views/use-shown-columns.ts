import { useRoute, useView } from '../services.ts';

export interface ShownColumns {
  readonly processes: boolean;
  readonly restarts: boolean;
  readonly calls: boolean;
  readonly uptime: boolean;
  /** Whether the rows have buttons. Beside the page of a server they have none, because the page has them. */
  readonly controls: boolean;
}

/** Columns that are shown. Beside the page of a server, only columns that compare servers. */
export function useShownColumns(): ShownColumns {
  const isBeside = useRoute().view === 'server';
  const processes = useView((state) => state.showsProcesses);
  const restarts = useView((state) => state.showsRestarts);
  const calls = useView((state) => state.showsCalls);
  const uptime = useView((state) => state.showsUptime);
  return isBeside
    ? { processes: false, restarts: false, calls, uptime: false, controls: false }
    : { processes, restarts, calls, uptime, controls: true };
}
