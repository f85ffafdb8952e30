import { memo } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../shared/domain.ts';
import { commandsFor, needsAttention, shownMark, shownState } from '../../shared/server-states.ts';
import { MoreButton } from '../commands/more-button.tsx';
import { ServerControls } from '../commands/server-controls.tsx';
import { errorsWords } from '../format/call-figures.ts';
import { formatAgo, formatDuration } from '../format/durations.ts';
import { formatCount, formatPlural, MISSING, trendBrief, trendWords } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { useNow, usePanel, useServices } from '../services.ts';
import { UsageCell } from './figure-cell.tsx';
import { DayBar } from '../charts/day-bar.tsx';
import { StateLine } from './state-line.tsx';
import { columns, line, useShownColumns } from './list-columns.ts';
import { describeOrigin } from '../format/server-origin.ts';
import { whereOf } from '../format/server-place.ts';
import { type Called, UNUSED_DAYS, unusedDays } from '../store/called.ts';
import { serverHref } from '../store/route-store.ts';
import { Icon } from '../ui/icon.tsx';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { selectRow } from './row-selection.ts';
import type { InspectorState } from '../store/inspector-store.ts';

interface RowCellsProps {
  readonly name: string;
  readonly isTold: boolean;
  readonly isSelected: boolean;
  /** Whether all cells are drawn, not just the name. The name is always the same element, so that it keeps the focus. */
  readonly isDrawn: boolean;
}

const cells = `${line} h-42 group-data-[density=compact]/list:h-34`;

/** Cells of one server. They render independently, once per push that contains the server. */
export function RowCells({ name, isTold, isSelected, isDrawn }: RowCellsProps) {
  const server = usePanel(({ servers }) => (isDrawn ? servers.get(name) : undefined));
  if (server === undefined)
    return (
      <div className={cells}>
        <NameCell name={name} isSelected={isSelected} />
      </div>
    );
  // The row omits the reason for the state if a card above the list shows it. While the order of the list is held, the card of
  // a server that has recovered stays for a while, but its row shows the whole state again.
  const saysStateAlone = isTold && needsAttention(shownState(server));
  return (
    <div className={cells}>
      <NameCell name={name} isSelected={isSelected} />
      <span role="cell" className={`overflow-hidden ${columns.state}`}>
        <StateLine server={server} isTold={saysStateAlone} />
      </span>
      <DayCellOf name={name} />
      <UsageCell server={server} figure="memory" />
      <UsageCell server={server} figure="cpu" />
      <OptionalCells server={server} />
    </div>
  );
}

function DayCellOf({ name }: { readonly name: string }) {
  const { day } = useShownColumns();
  return day && <DayBar server={name} />;
}

function OptionalCells({ server }: { readonly server: ServerView }) {
  const shown = useShownColumns();
  // A remote server does not have a local process, which is different from having zero processes.
  const processes = formatCount(server.transport === 'stdio' ? server.sample?.processCount : undefined);
  const restarts = formatCount(server.restarts24h ?? 0);
  return (
    <>
      {shown.processes && <FigureCell column="processes" name="Processes" text={processes} />}
      {shown.restarts && (
        <FigureCell column="restarts" name="Restarts in 24 h" text={restarts} isQuiet={restarts === '0'} />
      )}
      {shown.calls && <CallsCell name={server.name} />}
      {shown.lastUsed && <LastUsedCell name={server.name} />}
      {shown.uptime && <UptimeCell since={server.runningSince} />}
      {shown.controls && (
        <span role="cell" className={`flex justify-end gap-2 ${columns.controls}`}>
          <ServerControls server={server.name} allowed={commandsFor(server)} />
          <MoreButton server={server.name} />
        </span>
      )}
    </>
  );
}

interface FigureCellProps {
  readonly column: keyof typeof columns;
  readonly text: string;
  /** Meaning of the number, for screen readers. */
  readonly name?: string;
  readonly isQuiet?: boolean;
  readonly tip?: string | undefined;
}

const FigureCell = memo(function FigureCell({ column, text, name, isQuiet = false, tip }: FigureCellProps) {
  return (
    <span
      role="cell"
      className={`flex justify-end whitespace-nowrap ${columns[column]} ${text === MISSING || isQuiet ? 'text-faint' : ''}`}
      aria-label={name && `${name} ${text}`}
      data-tip={tip}
    >
      {text}
    </span>
  );
});

/** Number of calls of the last hour, and how many of them failed. */
function CallsCell({ name }: { readonly name: string }) {
  const count = useCalledOf(name, ({ calls }) => calls);
  const failed = useCalledOf(name, (called) => called.errors) ?? 0;
  const calls = formatCount(count);
  const errors = errorsWords(failed);
  if (errors === undefined)
    return <FigureCell column="calls" name="Calls in the last hour" text={calls} isQuiet={count === 0} />;
  return (
    <span
      role="cell"
      className={`flex justify-end gap-8 whitespace-nowrap ${columns.calls}`}
      aria-label={`Calls in the last hour ${calls}, ${errors}`}
    >
      <span className="text-failed" data-tip={`${errors} in the last hour`}>
        ✕ {formatCount(failed)}
      </span>
      {calls}
    </span>
  );
}

function LastUsedCell({ name }: { readonly name: string }) {
  const at = useCalledOf(name, ({ lastAt }) => lastAt);
  const text = useNow((now) => (at === undefined ? MISSING : formatAgo(Math.max(0, now - at))));
  return (
    <FigureCell
      column="lastUsed"
      name="Last used"
      text={text}
      tip={at === undefined ? at : formatMoment(at)}
    />
  );
}

const useCalledOf = <T,>(name: string, read: (called: Called) => T): T | undefined =>
  useStore(useServices().past.called, (servers) => {
    const called = servers.get(name);
    return called && read(called);
  });

function UptimeCell({ since }: { readonly since: number | undefined }) {
  const text = useNow((now) => (since === undefined ? MISSING : formatDuration(now - since)));
  return (
    <FigureCell
      column="uptime"
      text={text}
      tip={since === undefined ? since : `since ${formatMoment(since)}`}
    />
  );
}

interface NameCellProps {
  readonly name: string;
  readonly isSelected: boolean;
}

/** Check box to select the row, state glyph, name, and below it the command or address. It shows no measured values. */
const NameCell = memo(function NameCell({ name, isSelected }: NameCellProps) {
  const kind = useOf(name, shownMark);
  const target = useOf(name, (server) => server.target);
  const origin = useOf(name, describeOrigin);
  const place = useOf(name, (server) => whereOf(server).words);
  const tools = useToolWords(name);
  // A trend in memory, or the fact that the server is unused, replaces the command or address, because that text never changes.
  const trend = useOf(name, (server) => server.trend);
  const unused = useUnusedWords(name);
  return (
    <span role="cell" className={`flex items-center gap-8 ${columns.name}`}>
      <SelectBox name={name} isSelected={isSelected} />
      <StateShape kind={kind ?? 'stopped'} />
      <span className="flex flex-col min-w-0 flex-1">
        {/* The click target is 24 px high, but does not increase the height of the row. */}
        <a
          href={serverHref(name)}
          className="flex self-start max-w-full -my-2 py-2 font-semibold hover:link"
          aria-label={`Open ${name}`}
          data-home
          data-tip={`${name}\n${target}`}
        >
          <MiddleCut name={name} />
        </a>
        <span
          className="truncate text-12/16 text-dim normal-nums empty:hidden group-data-[density=compact]/list:hidden [&>svg]:mr-4 [&>svg]:align-[-2px]"
          {...(trend && { 'data-tip': trendWords(trend) })}
        >
          {place !== undefined && <Icon name="container" size={12} />}
          {trend ? trendBrief(trend) : (unused ?? [origin, place, tools].filter(Boolean).join(' · '))}
        </span>
      </span>
    </span>
  );
});

/** Value read from a server; undefined if the server is unknown. */
const useOf = <T,>(name: string, read: (server: ServerView) => T): T | undefined =>
  usePanel((state) => {
    const server = state.servers.get(name);
    return server && read(server);
  });

/** Text such as "not used for 41 days"; undefined if the server is used, is not running, or has not been known for that long. */
function useUnusedWords(name: string): string | undefined {
  const since = useCalledOf(name, ({ unusedSince }) => unusedSince);
  const isRunning = useOf(name, (server) => shownState(server) === 'running');
  const days = useNow((now) => unusedDays({ unusedSince: since }, now));
  return isRunning && days >= UNUSED_DAYS ? `not used for ${formatCount(days)} days` : undefined;
}

/** The check box is visible in the row that has the pointer or the focus, and in all rows while any row is selected. */
const box =
  'size-14 m-0 accent-accent opacity-0 group-hover/row:opacity-100 group-focus-within/row:opacity-100 group-data-selecting/list:opacity-100';

/**
 * Check box for the pointer. It is not a Tab stop, because Space on the name selects the row, and there may be a hundred rows.
 */
function SelectBox({ name, isSelected }: { readonly name: string; readonly isSelected: boolean }) {
  const { view } = useServices();
  return (
    <label className="flex items-center flex-none self-stretch w-18 -mr-8">
      <input
        className={box}
        type="checkbox"
        tabIndex={-1}
        aria-label={`Select ${name}`}
        checked={isSelected}
        onChange={() => undefined}
        onClick={(event) => {
          selectRow(event, name, view);
        }}
      />
    </label>
  );
}

/** Number of tools of a server as text; undefined until this app window has requested the list. */
export function useToolWords(server: string): string | undefined {
  const { inspectors } = useServices();
  return useStore(inspectors.of(server).state, toolWords);
}

/** Text such as "12 tools". The number is the total, even if only part of the list is shown. */
export function toolWords({ items, parts }: Pick<InspectorState, 'items' | 'parts'>): string | undefined {
  if (items === undefined) return undefined;
  const part = parts.find(({ list }) => list === 'tools');
  if (part?.isAtLeast === true) return `more than ${formatCount(part.total)} tools`;
  return formatPlural(part?.total ?? items.filter(({ kind }) => kind === 'tool').length, 'tool');
}
