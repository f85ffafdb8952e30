import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { formatSpan } from '../format/durations.ts';
import { formatCount, formatMemory, formatPlural } from '../format/figures.ts';
import { REMOTE_TITLE, whereOf } from '../format/server-place.ts';
import { usePanel } from '../services.ts';
import type { PanelState } from '../store/panel-store.ts';
import { hrefOf } from '../store/route-store.ts';
import { SpanTable } from '../charts/span-table.tsx';
import { TimeView } from '../charts/time-view.tsx';
import { useSpanWindow, type SpanWindow } from '../charts/use-span-window.ts';
import { CallUsageTable } from './call-usage.tsx';
import { UsageCharts } from './usage-charts.tsx';
import { usageMetrics } from './span-usage.ts';
import { useSpanUsage, type WindowUsage } from './use-span-usage.ts';

const EVERYWHERE = '';

/**
 * View of memory and CPU over time, as stacked areas or as a table. It shows all servers, or only those that run in one place,
 * for example in one container engine.
 */
export function UsageView() {
  const { names, places, place, choose } = usePlace();
  const servers = formatPlural(names.length, 'server');
  const saved = usePanel(savedWords);
  const span = useSpanWindow(names);
  const { usage, error, retry } = useSpanUsage(span.window, names, place === EVERYWHERE);
  return (
    <TimeView
      title="Usage"
      head={
        <>
          <span className="flex-1 pt-4 truncate text-dim">
            {[servers, saved].filter(Boolean).join(' · ')}
          </span>
          {places.length > 1 && (
            <NativeSelect
              size="xs"
              w={170}
              aria-label="Where they run"
              value={place}
              onChange={(event) => choose(event.currentTarget.value)}
              data={[{ value: EVERYWHERE, label: 'Everywhere' }, ...places]}
            />
          )}
          {names.length > 1 && (
            <a
              className="px-8 font-medium text-dim hover:link hover:text-text"
              href={hrefOf({ view: 'compare', servers: [] })}
            >
              Compare servers…
            </a>
          )}
        </>
      }
      {...{ span, error, metrics: usageMetrics, reply: usage?.reply, onAgain: retry }}
      whose="all servers"
      file="usage"
      picture={`Usage of ${servers},`}
      nothing={nothingWords(names.length, usage, span)}
      charts={({ picture, onAll }) =>
        usage && <UsageCharts usage={usage} span={span} onAll={onAll} ref={picture} />
      }
      calls={<CallUsageTable window={span.window} />}
      table={({ totals = [] }) => (
        <SpanTable
          name="Usage by server"
          totals={totals}
          metrics={usageMetrics}
          columns={['average', 'whileRunning', 'peak', 'share']}
          sortedBy={{ metric: 'memoryBytes', of: 'share' }}
          hasSum
        />
      )}
    />
  );
}

/** Returns the place in which the shown servers run, and the places to choose from. */
function usePlace() {
  const places = usePanel(useShallow(placesOf));
  const [chosen, choose] = useState(EVERYWHERE);
  // The chosen place may no longer have any servers.
  const place = places.includes(chosen) ? chosen : EVERYWHERE;
  const names = usePanel(
    useShallow((state: PanelState) =>
      state.names.filter((name) => {
        const server = state.servers.get(name);
        return place === EVERYWHERE || (server !== undefined && whereOf(server).title === place);
      }),
    ),
  );
  return { names, places, place, choose };
}

/** Places in which servers run, except remote ones, because nothing is measured for remote servers. */
const placesOf = ({ servers }: PanelState): readonly string[] =>
  [...new Set([...servers.values()].map((server) => whereOf(server).title))]
    .filter((title) => title !== REMOTE_TITLE)
    .sort();

/** Text about sleeping servers and the memory that they used before: `3 asleep, which used 412 MiB`. */
function savedWords({ servers }: PanelState): string | undefined {
  const asleep = [...servers.values()].flatMap((server) => server.asleep ?? []);
  const bytes = asleep.reduce((sum, { heldBytes = 0 }) => sum + heldBytes, 0);
  return asleep.length === 0
    ? undefined
    : `${formatCount(asleep.length)} asleep${bytes === 0 ? '' : `, which used ${formatMemory(bytes)}`}`;
}

function nothingWords(
  servers: number,
  usage: WindowUsage | undefined,
  { liveMs }: SpanWindow,
): string | undefined {
  if (servers === 0) return 'Add a server, and its use over time is drawn here.';
  if (usage === undefined || usageMetrics.some((metric) => usage.of[metric].servers.length > 0))
    return undefined;
  return liveMs === undefined
    ? 'Nothing was measured in this time.'
    : `Nothing was measured in the last ${formatSpan(liveMs)}. Remote servers have no processes to measure here.`;
}
