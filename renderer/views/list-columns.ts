import type { SortColumn } from '../format/list-choice.ts';
import { useShallow } from 'zustand/react/shallow';
import { useRoute, useView } from '../services.ts';

type Column = SortColumn | 'day' | 'controls';

/** Class that hides a column in a narrow list. It is for columns whose content is also on the server's page. */
const leaving = '@max-[781px]/servers:hidden';

/** Curves are wide if there is room. With less room they get smaller, and then are hidden. */
const curve =
  '[--spark-width:96px] @min-[1280px]/servers:[--spark-width:192px] @max-[981px]/servers:[--spark-width:64px]';

/** Width classes of the columns, for headers and cells. Each line is its own flex box, so a hidden column takes no space. */
export const columns: Readonly<Record<Column, string>> = {
  // As wide as the longest name, if the texts of the states leave enough room.
  name: 'flex-[0_1_var(--name)] min-w-136',
  state: 'flex-1 min-w-140',
  day: 'flex-2 min-w-96',
  memory: 'flex-none w-84 @max-[881px]/servers:w-72',
  cpu: 'flex-none w-76',
  processes: `flex-none w-74 ${leaving}`,
  restarts: `flex-none w-88 ${leaving}`,
  // When the list is beside the page of a server, its rows have no buttons, so this column stays visible even in a narrow list.
  calls: 'flex-none w-80 group-data-controls/list:@max-[781px]/servers:hidden',
  lastUsed: `flex-none w-80 ${leaving}`,
  uptime: `flex-none w-74 ${leaving}`,
  controls: 'flex-none w-122',
};

/** Same as `columns`, but wider for memory and CPU, for lists that show curves beside the values. */
export const columnsWithCurves: Readonly<Record<Column, string>> = {
  ...columns,
  memory: `flex-none w-[calc(var(--spark-width)+80px)] @max-[881px]/servers:w-72 ${curve}`,
  cpu: `flex-none w-[calc(var(--spark-width)+70px)] @max-[881px]/servers:w-76 ${curve}`,
};

/** Row of headers, or of a server's cells. The right padding is small because the scrollbar's space already acts as a margin. */
export const line = 'flex items-center gap-8 pr-2 pl-4';

/** Returns which optional columns are shown. Beside a server's page, only those that help to compare servers are shown. */
export function useShownColumns() {
  const isBeside = useRoute().view === 'server';
  return useView(
    useShallow((state) => ({
      /** Bar that shows the problems of the last 24 hours. */
      day: state.showsDay,
      calls: state.showsCalls,
      curves: !isBeside && state.showsCurves,
      processes: !isBeside && state.showsProcesses,
      restarts: !isBeside && state.showsRestarts,
      lastUsed: !isBeside && state.showsLastUsed,
      uptime: !isBeside && state.showsUptime,
      /** Whether the rows have buttons. They have none beside the page of a server, because the page has them. */
      controls: !isBeside,
    })),
  );
}
