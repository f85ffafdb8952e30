import { useEffect } from 'react';
import { emptyFilterWords } from '../format/server-list.ts';
import { usePanel, useView } from '../services.ts';
import { ListBar } from './list-bar.tsx';
import { ServerList } from './server-list.tsx';
import { useServerList } from './use-server-list.ts';

/** Server list beside the page of a server, if the app window is wide enough for both. */
export function ServerListPane({ open }: { readonly open: string }) {
  const { arrangement, handlers } = useServerList();
  const { groups } = arrangement;
  const filter = useView((state) => state.filter);
  const hasServers = usePanel((state) => state.names.length > 0);
  const shown = groups.reduce((sum, { names }) => sum + names.length, 0);
  useEffect(() => {
    const row = document.querySelector(`[role="row"][data-server="${CSS.escape(open)}"]`);
    row?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  if (!hasServers) return null;
  return (
    <section
      className="flex flex-col flex-[0_0_min(42%,760px)] min-w-0 h-full border-r border-line"
      aria-label="Server list"
      {...handlers}
    >
      <div className="flex-none pt-12">
        <ListBar shown={shown} />
      </div>
      <div className="min-h-0 flex-1 overflow-auto border-t border-line [scrollbar-gutter:stable]">
        {groups.length > 0 ? (
          <ServerList groups={groups} />
        ) : (
          <p className="p-16 text-dim">{emptyFilterWords[filter]}</p>
        )}
      </div>
    </section>
  );
}
