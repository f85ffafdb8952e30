import { useRoute, useView } from '../services.ts';

export interface ShownColumns {
  /** Bar of the last 24 hours. */
  readonly day: boolean;
  readonly curves: boolean;
  readonly processes: boolean;
  readonly restarts: boolean;
  readonly calls: boolean;
  readonly lastUsed: boolean;
  readonly uptime: boolean;
  /** Whether the rows have buttons. Beside the page of a server they have none, because the page has them. */
  readonly controls: boolean;
}

/** Columns that are shown. Beside the page of a server, only columns that compare servers. */
export function useShownColumns(): ShownColumns {
  const isBeside = useRoute().view === 'server';
  const day = useView((state) => state.showsDay);
  const curves = useView((state) => state.showsCurves);
  const processes = useView((state) => state.showsProcesses);
  const restarts = useView((state) => state.showsRestarts);
  const calls = useView((state) => state.showsCalls);
  const lastUsed = useView((state) => state.showsLastUsed);
  const uptime = useView((state) => state.showsUptime);
  return isBeside
    ? {
        day,
        curves: false,
        processes: false,
        restarts: false,
        calls,
        lastUsed: false,
        uptime: false,
        controls: false,
      }
    : { day, curves, processes, restarts, calls, lastUsed, uptime, controls: true };
}
