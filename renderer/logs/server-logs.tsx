import { useCallback } from 'react';
import { useRoute } from '../services.ts';
import { hrefOf } from '../store/route-store.ts';
import type { LogQuery } from '../store/log-query.ts';
import { LogView } from './log-view.tsx';

const everything: LogQuery = {};

/** Logs of one server, on its page. */
export function ServerLogs({ name }: { readonly name: string }) {
  const route = useRoute();
  const query = (route.view === 'server' ? route.query : undefined) ?? everything;
  const show = useCallback(
    (next: LogQuery) => {
      window.location.hash = hrefOf({ view: 'server', name, tab: 'logs', query: next });
    },
    [name],
  );
  return <LogView server={name} query={query} onQuery={show} />;
}
