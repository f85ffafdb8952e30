import { useShallow } from 'zustand/react/shallow';
import { useRoute, useView } from '../services.ts';

/** Whether each column is shown that can be hidden. Beside the page of a server, only columns that compare servers are. */
export function useShownColumns() {
  const isBeside = useRoute().view === 'server';
  return useView(
    useShallow((state) => ({
      /** Bar of the last 24 hours. */
      day: state.showsDay,
      calls: state.showsCalls,
      curves: !isBeside && state.showsCurves,
      processes: !isBeside && state.showsProcesses,
      restarts: !isBeside && state.showsRestarts,
      lastUsed: !isBeside && state.showsLastUsed,
      uptime: !isBeside && state.showsUptime,
      /** Whether the rows have buttons. The page of a server has them, too. */
      controls: !isBeside,
    })),
  );
}
