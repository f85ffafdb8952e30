import type { SortColumn } from '../format/list-choice.ts';
import { useShallow } from 'zustand/react/shallow';
import { useRoute, useView } from '../services.ts';

type Column = SortColumn | 'day' | 'controls';

/** What can be read on the server's page gives way in a narrow list. */
const leaving = '@max-[781px]/servers:hidden';

/** Curves are wide where there is room, get smaller, and then are hidden. */
const curve =
  '[--spark-width:96px] @min-[1280px]/servers:[--spark-width:192px] @max-[981px]/servers:[--spark-width:64px]';

/**
 * Classes for the widths of the columns, of headers and of cells. Every line is a flex box of its own, so a column that is
 * not there takes no room.
 */
export const columns: Readonly<Record<Column, string>> = {
  // As wide as the longest name, if the texts of the states leave enough room.
  name: 'flex-[0_1_var(--name)] min-w-136',
  state: 'flex-1 min-w-140',
  day: 'flex-2 min-w-96',
  memory: 'flex-none w-84 @max-[881px]/servers:w-72',
  cpu: 'flex-none w-76',
  processes: `flex-none w-74 ${leaving}`,
  restarts: `flex-none w-88 ${leaving}`,
  // Beside the page of a server, where there are no buttons, it stays.
  calls: 'flex-none w-80 group-data-controls/list:@max-[781px]/servers:hidden',
  lastUsed: `flex-none w-80 ${leaving}`,
  uptime: `flex-none w-74 ${leaving}`,
  controls: 'flex-none w-122',
};

/** The same while the figures have curves. */
export const columnsWithCurves: Readonly<Record<Column, string>> = {
  ...columns,
  memory: `flex-none w-[calc(var(--spark-width)+80px)] @max-[881px]/servers:w-72 ${curve}`,
  cpu: `flex-none w-[calc(var(--spark-width)+70px)] @max-[881px]/servers:w-76 ${curve}`,
};

/** Line of the list: the headers, or the cells of a server. On the right, the room of the scrollbar is most of the margin. */
export const line = 'flex items-center gap-8 pr-2 pl-4';

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
