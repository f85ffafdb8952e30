import { LogView } from '../logs/log-view.tsx';
import type { LogQuery } from '../store/log-query.ts';
import { hrefOf } from '../store/route-store.ts';

const show = (next: LogQuery) => {
  window.location.hash = hrefOf({ view: 'logs', query: next });
};

/** Logs of all servers and of the panel, on one time axis. */
export function AllLogs({ query }: { readonly query: LogQuery }) {
  return (
    <div className="flex flex-col h-full">
      <LogView query={query} onQuery={show}>
        <h1 className="page-title flex-1">Logs</h1>
      </LogView>
    </div>
  );
}
