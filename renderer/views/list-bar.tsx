import { NativeSelect } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { listFieldIds } from '../commands/navigate.ts';
import { SearchField } from '../ui/search-field.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatCount } from '../format/figures.ts';
import { countByFilter, filterNames } from '../format/server-list.ts';
import { shortcutOf, withShortcut } from '../commands/shortcuts.ts';
import {
  type ColumnSwitch,
  columnSwitches,
  everyServer,
  listDensities,
  type ListDensity,
  type ServerFilter,
  serverFilters,
  type ServerGrouping,
  serverGroupings,
} from '../format/list-choice.ts';
import { usePanel, useRoute, useServices, useView } from '../services.ts';
import {
  askToRemoveMany,
  failed,
  meantBy,
  restartFailed,
  runMany,
  stopAll,
  stoppable,
} from '../commands/server-commands.ts';
import { Popover } from '../ui/popover.tsx';
import { commandWords, serverCommands } from '../../shared/server-states.ts';
import { hrefOf, MAX_COMPARED } from '../store/route-store.ts';
import { noSelection } from '../store/selection.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Segments } from '../ui/segments.tsx';

/** The bar wraps in a narrow window, for example at 200 % zoom, because it does not fit in one line there. */
const bar = 'flex items-center gap-8 min-w-0 flex-1 h-38 pr-12 pb-8 max-[821px]:flex-wrap max-[821px]:h-auto';

/** Filters of the server list, with a note if not all servers are shown; during a selection, its commands instead. */
export function ListBar({ shown }: { readonly shown: number }) {
  const isSelecting = useView(({ selection }) => selection.names.size > 0);
  const isBeside = useRoute().view === 'server';
  if (isSelecting) return <SelectionBar />;
  return (
    <div className={`${bar} pl-16`} role="group" aria-label="Servers listed">
      <ServerSearch />
      <FilterField />
      {!isBeside && <GroupingField />}
      {!isBeside && <ViewFields />}
      <Narrowed shown={shown} />
      <AllServersMenu />
    </div>
  );
}

/** Search field that filters the servers shown, by name, state or command. */
function ServerSearch() {
  const { view } = useServices();
  const search = useView((state) => state.search);
  return (
    <SearchField
      name="Search servers"
      shortcut={shortcutOf('search')}
      words={search}
      onChange={(words) => view.setState({ search: words })}
      onDown={() => document.querySelector<HTMLElement>('[role="row"] [data-home]')?.focus()}
      width="clamp(140px, 17vw, 220px)"
    />
  );
}

function FilterField() {
  const { view } = useServices();
  const filter = useView((state) => state.filter);
  const counts = usePanel(useShallow(({ servers }) => countByFilter([...servers.values()])));
  return (
    <NativeSelect
      id={listFieldIds.filter}
      size="xs"
      w={160}
      miw={84}
      aria-label="Filter"
      data-tip={withShortcut('Which servers are listed', 'filter')}
      value={filter}
      onKeyDown={onEscape(() => view.setState({ filter: everyServer.filter }))}
      onChange={(event) => view.setState({ filter: event.currentTarget.value as ServerFilter })}
      data={serverFilters
        .filter((value) => value !== 'disabled' || counts.disabled > 0 || filter === value)
        .map((value) => ({ value, label: `${filterNames[value]} · ${formatCount(counts[value])}` }))}
    />
  );
}

function GroupingField() {
  const { view } = useServices();
  const grouping = useView((state) => state.grouping);
  return (
    <NativeSelect
      id={listFieldIds.group}
      size="xs"
      w={150}
      miw={84}
      aria-label="Group"
      data-tip={withShortcut('How they are grouped', 'group')}
      value={grouping}
      onKeyDown={onEscape(() => view.setState({ grouping: everyServer.grouping }))}
      onChange={(event) => view.setState({ grouping: event.currentTarget.value as ServerGrouping })}
      data={serverGroupings.map((value) => ({ value, label: `Group: ${value}` }))}
    />
  );
}

function Narrowed({ shown }: { readonly shown: number }) {
  const { view } = useServices();
  const isNarrowed = useView((state) => state.filter !== everyServer.filter || state.search.trim() !== '');
  const total = usePanel((state) => state.names.length);
  return (
    <p className="flex gap-8 min-w-0 pl-4 whitespace-nowrap text-dim">
      {/* If there is little room, the count is truncated, not the button that removes the filter. */}
      <span role="status" className="truncate min-w-0">
        {isNarrowed && `${formatCount(shown)} of ${formatCount(total)} shown`}
      </span>
      {isNarrowed && (
        <TextButton
          look="link"
          onClick={() => {
            view.setState({ search: '', filter: everyServer.filter });
            // The focus moves to the filter field, because the button disappears together with the filter that it removed.
            document.getElementById(listFieldIds.filter)?.focus();
          }}
        >
          Show all
        </TextButton>
      )}
    </p>
  );
}

/** Returns a handler of Escape that calls `undo` and stops the key event. */
const onEscape = (undo: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  undo();
};

/** Menu of commands for all servers, including those that the list does not show. */
function AllServersMenu() {
  const services = useServices();
  const up = usePanel(({ servers }) => stoppable([...servers.values()]).length);
  const givenUp = usePanel(({ servers }) => failed([...servers.values()]).length);
  return (
    <div className="flex-none ml-auto">
      <Popover name="All servers" label="All" icon="dots" tip="Commands to all servers">
        <div className="flex flex-col gap-6 *:justify-center">
          <TextButton disabled={up === 0} onClick={() => stopAll(services)}>
            Stop all{count(up)}
          </TextButton>
          <TextButton disabled={givenUp === 0} onClick={() => restartFailed(services)}>
            Restart failed{count(givenUp)}
          </TextButton>
        </div>
      </Popover>
    </div>
  );
}

const count = (servers: number): string => (servers === 0 ? '' : ` · ${formatCount(servers)}`);

/** Bar of commands for the selected servers. It takes the place of the filters, so that the rows below do not move. */
function SelectionBar() {
  const services = useServices();
  const { view } = services;
  const selected = useView(({ selection }) => selection.names);
  const order = usePanel((state) => state.names);
  const names = order.filter((name) => selected.has(name));
  const servers = usePanel(useShallow((state) => names.flatMap((name) => state.servers.get(name) ?? [])));
  const number = formatCount(names.length);
  return (
    <div className={`${bar} pl-6`} role="group" aria-label="Servers selected">
      <IconButton
        icon="close"
        name="Select none"
        tip="Select none  Esc"
        onClick={() => view.setState({ selection: noSelection })}
      />
      <span className="min-w-84 whitespace-nowrap font-semibold" role="status">
        {number} selected
      </span>
      {serverCommands.map((command) => (
        <TextButton
          key={command}
          aria-label={`${commandWords[command]} ${number} selected`}
          disabled={meantBy(servers, command).length === 0}
          onClick={() => runMany(services, command, names)}
        >
          <Icon name={command} size={14} />
          {commandWords[command]}
        </TextButton>
      ))}
      <TextButton
        disabled={names.length < 2 || names.length > MAX_COMPARED}
        data-tip={`Two to ${MAX_COMPARED} servers in one chart`}
        onClick={() => (window.location.hash = hrefOf({ view: 'compare', servers: names }))}
      >
        <Icon name="compare" size={14} />
        Compare
      </TextButton>
      <TextButton onClick={() => askToRemoveMany(services, names)}>Remove…</TextButton>
      <CopyButton name="Copy names" text={names.join('\n')} />
    </div>
  );
}

const densityNames: Readonly<Record<ListDensity, string>> = {
  comfortable: 'Comfortable',
  compact: 'Compact',
};

/** Appearance of the list: the height of its rows and its columns. */
function ViewFields() {
  const { view } = useServices();
  const density = useView((state) => state.density);
  return (
    <Popover name="View of the list" label="View" icon="columns" tip="Height of the rows, and columns">
      <div className="flex flex-col gap-12 w-200">
        <Segments
          name="Rows"
          isWide
          value={density}
          choices={listDensities.map((value) => ({ value, label: densityNames[value] }))}
          onChange={(value) => view.setState({ density: value })}
        />
        <fieldset className="flex flex-col gap-6">
          <legend className="caption mb-4 p-0">Columns</legend>
          {columnSwitches.map(({ setting, label, words }) => (
            <ColumnField key={setting} setting={setting} label={label} words={words} />
          ))}
        </fieldset>
      </div>
    </Popover>
  );
}

interface ColumnFieldProps {
  readonly setting: ColumnSwitch;
  readonly label: string;
  readonly words: string;
}

function ColumnField({ setting, label, words }: ColumnFieldProps) {
  const { view } = useServices();
  const isShown = useView((state) => state[setting]);
  return (
    <CheckField
      label={label}
      name={`Show ${words}`}
      isChecked={isShown}
      onChange={(isChecked) => view.setState({ [setting]: isChecked })}
    />
  );
}
