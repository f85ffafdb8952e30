import { useMemo } from 'react';
import { SpanBar } from '../charts/span-bar.tsx';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { useServices, useView } from '../services.ts';
import type { LogQuery } from '../store/log-query.ts';
import { KEPT_MS } from '../../shared/retention.ts';

const NO_SERVERS: readonly string[] = [];

/** Choice of the time whose lines are shown, which is that of all views. */
export function LogSpan({ server }: { readonly server: string | undefined }) {
  const span = useSpanWindow(NO_SERVERS, KEPT_MS);
  return <SpanBar {...span} bucketMs={undefined} {...(server !== undefined && { server })} />;
}

/**
 * Time of the lines for the query, and the moment that is pinned, at which the log opens. A time that ends now has no end here,
 * so that new lines go on coming, and keeps its beginning until another is chosen.
 */
export function useLogTime(): Pick<LogQuery, 'from' | 'to' | 'at'> {
  const { clock } = useServices();
  const choice = useView((state) => state.span.choice);
  const at = useView((state) => state.pinnedAt);
  const span = useMemo(() => {
    if (choice.kind === 'still')
      return { from: Math.round(choice.span.from), to: Math.round(choice.span.to) };
    return choice.spanMs === undefined ? {} : { from: Math.max(0, clock.getState().now - choice.spanMs) };
  }, [choice, clock]);
  return useMemo(() => ({ ...span, ...(at !== undefined && { at: Math.round(at) }) }), [span, at]);
}
