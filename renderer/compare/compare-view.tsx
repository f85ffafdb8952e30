import { useMemo } from 'react';
import { gapsOf, type TimeWindow, withPastGaps } from '../charts/downsample.ts';
import { SpanTable } from '../charts/span-table.tsx';
import { TimeView } from '../charts/time-view.tsx';
import { usePastEvents } from '../charts/use-past-events.ts';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { CompareCharts } from './compare-charts.tsx';
import { comparedMetrics, comparisonOf } from './comparison.ts';
import { PAST_BUCKETS } from '../charts/series.ts';
import { useSeries } from '../charts/use-series.ts';
import { colourOf, type ServerColours, withBorrowed } from '../format/server-colours.ts';
import { useColours, usePanel } from '../services.ts';
import { NativeSelect } from '@mantine/core';
import { hrefOf, MAX_COMPARED, serverHref } from '../store/route-store.ts';
import { IconButton } from '../ui/icon-button.tsx';

/** Compares up to six servers, with one chart per figure. The route names the servers. */
export function CompareView({ servers: named }: { readonly servers: readonly string[] }) {
  const key = named.join('\n');
  // The array keeps its identity as long as the servers are the same, because each new array causes a new query.
  const servers = useMemo(() => (key === '' ? [] : key.split('\n')), [key]);
  const span = useSpanWindow(servers);
  const { reply, charts = [], absences, colours, error, retry } = useComparison(servers, span.window);
  return (
    <TimeView
      title="Compare"
      head={
        <span className="flex-1 pl-4">
          <ServerPicker servers={servers} />
        </span>
      }
      {...{ span, reply, error, metrics: comparedMetrics, onAgain: retry }}
      whose={servers.join(', ')}
      file="comparison"
      picture={`${servers.join(', ')}:`}
      nothing={
        servers.length === 0
          ? 'Choose up to six servers above, or select them in the list of servers, and their memory, CPU, open files and round trips are drawn on one scale.'
          : undefined
      }
      charts={({ reply, picture }) => (
        <CompareCharts {...{ charts, absences, colours, span }} stepMs={reply.stepMs} ref={picture} />
      )}
      table={({ totals = [] }) => (
        <SpanTable
          name="Servers compared"
          totals={totals}
          metrics={charts.map(({ figure }) => figure.metric)}
          columns={['average', 'peak']}
          servers={servers}
        />
      )}
    >
      {servers.length > 0 && <ComparedServers servers={servers} colours={colours} />}
    </TimeView>
  );
}

/**
 * Returns the charts of some servers within a time window, and their colours. The charts are undefined until the first answer.
 */
function useComparison(servers: readonly string[], window: TimeWindow) {
  const own = useColours();
  const { reply, isAnswered, error, askAgain } = useSeries({
    ...{ servers, metrics: comparedMetrics, window, maxBuckets: PAST_BUCKETS, withTotals: true },
  });
  const colours = useMemo(() => withBorrowed(own, servers), [own, servers]);
  const live = usePanel((state) => state.events);
  const { events } = usePastEvents(undefined, live, window);
  const absences = useMemo(() => withPastGaps(gapsOf(events), reply.absences), [events, reply.absences]);
  const charts = useMemo(
    () => (isAnswered ? comparisonOf(reply, servers, { absences, events }) : undefined),
    [reply, isAnswered, servers, absences, events],
  );
  return { reply: isAnswered ? reply : undefined, charts, absences, colours, error, retry: askAgain };
}

interface ComparedServersProps {
  readonly servers: readonly string[];
  readonly colours: ServerColours;
}

const NONE = '';

/** Menu that adds a server to the comparison. The address contains the chosen servers. */
function ServerPicker({ servers }: Pick<ComparedServersProps, 'servers'>) {
  const names = usePanel((state) => state.names);
  const others = names.filter((name) => !servers.includes(name));
  const isFull = servers.length >= MAX_COMPARED;
  return (
    <NativeSelect
      size="xs"
      w={150}
      aria-label="Add a server"
      disabled={isFull || others.length === 0}
      value={NONE}
      onChange={({ currentTarget: { value } }) => value !== NONE && show([...servers, value])}
      data={[{ value: NONE, label: isFull ? 'At most six' : 'Add a server…' }, ...others]}
    />
  );
}

/** Lists the compared servers and their colours. A server without one gets one for this comparison only, and a text says so. */
function ComparedServers({ servers, colours }: ComparedServersProps) {
  const own = useColours();
  return (
    <ul
      className="flex flex-none flex-wrap items-center gap-x-8 gap-y-4 px-16 pt-8"
      aria-label="Servers compared"
    >
      {servers.map((server) => (
        <li
          key={server}
          className="flex items-center gap-6 h-28 pl-8 border border-line rounded-md bg-raised"
        >
          <span className="swatch" style={{ background: colourOf(server, colours) }} />
          <a className="hover:link" href={serverHref(server)}>
            {server}
          </a>
          {own.get(server) == null && (
            <span
              className="text-12 text-dim"
              data-tip="Eight servers have their own colour. This one has its colour only in this comparison."
            >
              here only
            </span>
          )}
          <IconButton
            icon="close"
            name={`Leave out ${server}`}
            onClick={() => show(servers.filter((one) => one !== server))}
          />
        </li>
      ))}
    </ul>
  );
}

function show(servers: readonly string[]): void {
  window.location.hash = hrefOf({ view: 'compare', servers });
}
