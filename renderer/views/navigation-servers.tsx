import { useState, type KeyboardEvent } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { markOrder, markWords, needsAttention, shownMark } from '../../shared/server-states.ts';
import { serverHref } from '../store/route-store.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import { formatCount } from '../format/figures.ts';
import { usePanel, useRoute, useView } from '../services.ts';
import { useIsWide } from '../ui/use-is-wide.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { ownValue } from '../../shared/own-value.ts';

/** Maximum number of servers for which the list needs no search field. */
const FEW_SERVERS = 12;

/**
 * List of the servers, shown in every view, each with the glyph of its state and its memory in MiB. Servers in trouble come
 * first, the worst before the others. The list is one Tab stop; arrow keys move within it.
 */
export function NavigationServers() {
  const names = usePanel((state) => state.names);
  const route = useRoute();
  const isWide = useIsWide();
  const [words, setWords] = useState('');
  // While the main server list is shown, its search text also filters this list, because a second search field would do the
  // same.
  const listSearch = useView((state) => state.search);
  const isListShown = route.view === 'servers' || (route.view === 'server' && isWide);
  const isSearched = names.length > FEW_SERVERS && !isListShown;
  const sought = (isSearched ? words : isListShown ? listSearch : '').trim().toLowerCase();
  const troubled = usePanel(
    useShallow(({ servers }) =>
      names
        .flatMap((name) => servers.get(name) ?? [])
        .filter((server) => needsAttention(shownMark(server)))
        .toSorted((one, other) => markOrder.indexOf(shownMark(one)) - markOrder.indexOf(shownMark(other)))
        .map(({ name }) => name),
    ),
  );
  const shown = [...troubled, ...names.filter((name) => !troubled.includes(name))].filter((name) =>
    name.toLowerCase().includes(sought),
  );
  const current = route.view === 'server' ? route.name : undefined;
  const stop = shown.find((name) => name === current) ?? shown[0];
  if (names.length === 0) return null;
  return (
    // Hidden in a narrow window, so that the view has enough room.
    <div
      className="flex flex-col gap-4 min-h-0 flex-1 mt-12 pt-12 border-t border-line max-[1001px]:hidden"
      onKeyDown={moveFocus}
    >
      {isSearched && (
        <input
          className="field flex-none text-12"
          aria-label="Find a server"
          placeholder="Find a server"
          value={words}
          spellCheck={false}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || words === '') return;
            event.preventDefault();
            setWords('');
          }}
        />
      )}
      <MemoryUnit />
      {/* The negative margin leaves room for the focus ring of a row, which the scroll area would otherwise cut off. */}
      <ul className="min-h-0 flex-1 -m-2 p-2 overflow-y-auto" aria-label="Servers by name">
        {shown.map((name) => (
          <ServerLink key={name} name={name} isCurrent={name === current} isStop={name === stop} />
        ))}
      </ul>
      {shown.length === 0 && <p className="px-8 text-12/16 text-dim">No server has this text in its name.</p>}
    </div>
  );
}

/** Unit of the values beside the names. It is shown only once, because in each row it would leave less room for the names. */
function MemoryUnit() {
  const isMeasured = usePanel(({ servers }) =>
    [...servers.values()].some(({ sample }) => sample?.memoryBytes !== undefined),
  );
  if (!isMeasured) return null;
  return (
    <p className="flex-none px-8 text-12/16 text-faint text-right" aria-hidden="true">
      Memory in MiB
    </p>
  );
}

interface ServerLinkProps {
  readonly name: string;
  readonly isCurrent: boolean;
  /** Whether this link can be reached with the Tab key. */
  readonly isStop: boolean;
}

function ServerLink({ name, isCurrent, isStop }: ServerLinkProps) {
  const kind = usePanel(({ servers }) => {
    const server = servers.get(name);
    return server === undefined ? 'stopped' : shownMark(server);
  });
  // Rounded to whole units, so that the value changes rarely.
  const memory = usePanel(({ servers }) => {
    const bytes = servers.get(name)?.sample?.memoryBytes;
    return bytes === undefined ? undefined : formatCount(Math.max(1, Math.round(bytes / BYTES_PER_MIB)));
  });
  return (
    <li>
      <a
        className="nav-item flex items-center gap-8 h-28 px-8 [content-visibility:auto] [contain-intrinsic-size:auto_28px]"
        href={serverHref(name)}
        tabIndex={isStop ? 0 : -1}
        aria-label={`${name}: ${markWords[kind]}`}
        aria-current={isCurrent ? 'page' : undefined}
        data-tip={[name, markWords[kind], memory && `${memory} MiB`].filter(Boolean).join(' · ')}
      >
        <StateShape kind={kind} size={12} />
        <MiddleCut name={name} />
        {memory !== undefined && (
          <span className="flex-none ml-auto text-12 text-faint font-normal">{memory}</span>
        )}
      </a>
    </li>
  );
}

/** Moves the focus to the neighbouring, first or last link. The down arrow moves it from the search field to the list. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  const isTyping = at === -1;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ...(!isTyping && { ArrowUp: at - 1, Home: 0, End: links.length - 1 }),
  };
  const target = ownValue(targets, event.key);
  if (target === undefined) return;
  event.preventDefault();
  if (target === -1) event.currentTarget.querySelector('input')?.focus();
  else links[target]?.focus();
}
