import { NativeSelect } from '@mantine/core';
import { memo, useMemo } from 'react';
import { type TextLevel, textLevels } from '../../shared/log-level.ts';
import { formatPlural } from '../format/figures.ts';
import { useServer, useServices, useView } from '../services.ts';
import { chosenSources, type LogQuery, sourceNames, without } from '../store/log-query.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Popover } from '../ui/popover.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { SpanBar } from '../charts/span-bar.tsx';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { KEPT_MS } from '../../shared/retention.ts';

/** Labels of the choices for the lowest log level that is shown. */
const levelNames: Readonly<Record<TextLevel, string>> = {
  debug: 'Debug and above',
  info: 'Info and above',
  warning: 'Warnings and errors',
  error: 'Errors',
};

interface LogFiltersProps {
  readonly query: LogQuery;
  readonly onQuery: (query: LogQuery) => void;
  /** Server to whose page the log belongs; undefined in the log of all servers, where the filters include a choice of servers. */
  readonly server: string | undefined;
  readonly names: readonly string[];
}

/**
 * Filters for the log lines. They are stored in the route (the window's address). The component is memoized, because otherwise
 * each new line would render the fields again.
 */
export const LogFilters = memo(function LogFilters({ query, onQuery, server, names }: LogFiltersProps) {
  const only = server ?? (query.servers?.length === 1 ? query.servers[0] : undefined);
  const isNarrowed = Object.keys(query).length > 0;
  return (
    // The bar for the time range is in the same row as the filters, so its own padding is removed.
    <div
      className="flex flex-wrap items-center flex-none gap-x-8 gap-y-4 py-8 pr-12 pl-16 border-b border-line [&>[data-charts]]:p-0!"
      role="group"
      aria-label="Lines shown"
    >
      <LogSpan server={only} />
      {server === undefined && <ServersField query={query} onQuery={onQuery} names={names} />}
      <SourcesField query={query} onQuery={onQuery} />
      <NativeSelect
        size="xs"
        w={150}
        aria-label="Level"
        data-tip="Lines without a level are shown only under “All levels”"
        value={query.leastLevel ?? ''}
        data={[
          { value: '', label: 'All levels' },
          ...textLevels.map((level) => ({ value: level, label: levelNames[level] })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const rest = without(query, 'leastLevel');
          const leastLevel = textLevels.find((level) => level === value);
          onQuery({ ...rest, ...(leastLevel && { leastLevel }) });
        }}
      />
      {only !== undefined && <GenerationField query={query} onQuery={onQuery} server={only} />}
      {isNarrowed && (
        <TextButton look="link" onClick={() => onQuery({})}>
          Show every line
        </TextButton>
      )}
    </div>
  );
});

/** Returns the label of a multiple-choice field: "All servers" if none is chosen, the value if only one is, else their number. */
function labelOf(chosen: readonly string[], noun: string): string {
  const [only] = chosen;
  if (only === undefined) return `All ${noun}s`;
  return chosen.length === 1 ? only : formatPlural(chosen.length, noun);
}

type FieldProps = Pick<LogFiltersProps, 'query' | 'onQuery'>;

function ServersField({ query, onQuery, names }: FieldProps & { readonly names: readonly string[] }) {
  const { servers: chosen = [] } = query;
  const rest = without(query, 'servers', 'generation');
  const change = (servers: readonly string[]) => onQuery({ ...rest, ...(servers.length > 0 && { servers }) });
  const all = [...new Set([...names, ...chosen])];
  return (
    <Popover
      name="Servers shown"
      label={labelOf(chosen, 'server')}
      icon="choose"
      tip="Servers whose lines are shown"
    >
      <div className="flex flex-col gap-8 max-h-[50vh] overflow-auto">
        {all.map((name) => (
          <CheckField
            key={name}
            label={name}
            isChecked={chosen.includes(name)}
            onChange={(isChecked) =>
              change(all.filter((one) => (one === name ? isChecked : chosen.includes(one))))
            }
          />
        ))}
      </div>
    </Popover>
  );
}

const sourceHints: Readonly<Partial<Record<keyof typeof sourceNames, string>>> = {
  protocol: 'Output on stdout that is not a message',
  mcp: 'Sent as log notifications',
  traffic: 'Each request, answer and notification',
  panel: 'Messages of this app itself',
};

function SourcesField({ query, onQuery }: FieldProps) {
  const { sources: chosen = [], withOwn, ...rest } = query;
  const change = (sources: typeof chosen, isWithOwn: boolean) =>
    onQuery({ ...rest, ...(sources.length > 0 && { sources }), ...(isWithOwn && { withOwn: true }) });
  const label = labelOf(
    chosen.map((source) => sourceNames[source]),
    'source',
  );
  return (
    <Popover name="Sources shown" label={label} icon="choose" tip="Where lines come from">
      <div className="flex flex-col gap-8 max-h-[50vh] overflow-auto">
        {chosenSources.map((source) => (
          <CheckField
            key={source}
            label={sourceNames[source]}
            name={sourceNames[source]}
            hint={sourceHints[source]}
            isChecked={chosen.includes(source)}
            onChange={(isChecked) =>
              change(
                chosenSources.filter((one) => (one === source ? isChecked : chosen.includes(one))),
                withOwn === true,
              )
            }
          />
        ))}
        <CheckField
          label="The panel’s own traffic"
          hint="Health checks and list requests"
          isChecked={withOwn === true}
          onChange={(isChecked) => change(chosen, isChecked)}
        />
      </div>
    </Popover>
  );
}

/** Maximum runs of a server offered in the filter; the latest runs are offered. */
const MOST_GENERATIONS = 20;

function GenerationField({ query, onQuery, server }: FieldProps & { readonly server: string }) {
  const latest = useServer(server)?.generation ?? 0;
  const { generation, ...rest } = query;
  const all = Array.from({ length: Math.min(latest, MOST_GENERATIONS) }, (_, nth) => latest - nth);
  if (generation !== undefined && !all.includes(generation)) all.push(generation);
  if (all.length < 2 && generation === undefined) return null;
  return (
    <NativeSelect
      size="xs"
      w={150}
      aria-label="Generation"
      data-tip="One for each start of the server since the panel was launched"
      value={generation === undefined ? '' : String(generation)}
      data={[
        { value: '', label: 'Every generation' },
        ...all.map((one) => ({ value: String(one), label: `Generation ${one}` })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        onQuery({ ...rest, ...(value !== '' && { generation: Number(value) }) })
      }
    />
  );
}

const NO_SERVERS: readonly string[] = [];

/** Choice of the time range whose lines are shown. All views share this range. */
function LogSpan({ server }: { readonly server: string | undefined }) {
  const span = useSpanWindow(NO_SERVERS, KEPT_MS);
  return <SpanBar {...span} bucketMs={undefined} {...(server !== undefined && { server })} />;
}

/**
 * Returns the time range of the lines for the query, and the pinned moment at which the log opens. A range that ends now has no
 * end in the query, so that new lines still appear; its beginning is fixed until the user chooses another range.
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
