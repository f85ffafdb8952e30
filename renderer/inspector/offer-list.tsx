import { type KeyboardEvent, type MouseEvent, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from 'zustand/react';
import type { OfferFailure, OfferList, OfferPart } from '../../shared/domain.ts';
import { shortcutOf } from '../commands/shortcuts.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { toPlainText } from '../format/plain-text.ts';
import { formatCount } from '../format/figures.ts';
import type { InspectorState, InspectorStore } from '../store/inspector-store.ts';
import type { ItemKind, OfferItem } from '../offer/offer-items.ts';
import { ownValue } from '../../shared/own-value.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';

interface OfferListProps {
  readonly inspector: InspectorStore;
  readonly items: readonly OfferItem[];
  /** Key of the item (tool, prompt or resource) that the panel beside the list shows. */
  readonly current: string | undefined;
}

const ENTRIES_AT_ONCE = 200;
/** Maximum characters of the text below a name; more than fits into the widest list. */
const LINE_LENGTH = 160;

const groups: readonly (readonly [ItemKind, string])[] = [
  ['tool', 'Tools'],
  ['prompt', 'Prompts'],
  ['resource', 'Resources'],
  ['template', 'Resource templates'],
];

/** List of the server's tools, prompts and resources, grouped by kind and filtered by the search. */
export function OfferItems({ inspector, items, current }: OfferListProps) {
  const { parts, search, isListing } = useStore(inspector.state);
  const texts = useMemo(() => items.map(textOf), [items]);
  const words = search.toLowerCase().split(/\s+/);
  const found = items.filter((_, index) => words.every((word) => texts[index]?.includes(word)));
  return (
    <nav
      id="tool-list"
      className="flex flex-col min-h-0 min-w-0 bg-sunken"
      aria-label="Offer"
      onKeyDown={moveFocus}
    >
      <div className="flex items-center flex-none gap-4 pt-8 pr-6 pb-6 pl-16">
        <SearchField
          name="Search tools, prompts and resources"
          shortcut={shortcutOf('search')}
          words={search}
          onChange={(words) => inspector.state.setState({ search: words })}
        />
        <IconButton
          icon="restart"
          name="List again"
          isBusy={isListing}
          onClick={() => void inspector.list()}
        />
      </div>
      <div className="flex-1 px-6 pb-12 overflow-auto">
        {partWords(parts).map((part) => (
          <p key={part} className="p-8 text-dim" role="note">
            {part}
          </p>
        ))}
        {groups.map(([kind, title]) => (
          <Group
            // The key contains the search text, so that each new search starts again with the first entries of the group.
            key={`${kind} ${search}`}
            title={title}
            items={found.filter((item) => item.kind === kind)}
            current={current}
            onSelect={(selected) => inspector.state.setState({ selected })}
          />
        ))}
        {found.length === 0 && <p className="p-8 text-dim">Nothing matches “{search}”.</p>}
      </div>
    </nav>
  );
}

const entryLook =
  'flex flex-col items-stretch justify-center box-border w-full min-h-28 py-4 px-8 rounded-md text-left';

interface GroupProps {
  readonly title: string;
  readonly items: readonly OfferItem[];
  readonly current: string | undefined;
  readonly onSelect: (key: string) => void;
}

/**
 * Group that shows its first entries, and more on request, because laying out thousands would block the app window for seconds.
 */
function Group({ title, items, current, onSelect }: GroupProps) {
  const [limit, setLimit] = useState(ENTRIES_AT_ONCE);
  if (items.length === 0) return null;
  const showMore = ({ currentTarget }: MouseEvent) => {
    const group = currentTarget.closest('section');
    flushSync(() => setLimit(limit + ENTRIES_AT_ONCE));
    // Focus moves to the first new entry, because the button has moved to the end or disappeared.
    group?.querySelectorAll<HTMLElement>('[data-entry]')[limit]?.focus();
  };
  return (
    <section aria-label={title}>
      <h2 className="pt-8 px-8 pb-2 text-12 text-faint">
        {title} <span>{formatCount(items.length)}</span>
      </h2>
      <ul>
        {items.slice(0, limit).map((item) => (
          <li key={item.key}>
            <Entry item={item} isCurrent={item.key === current} onSelect={onSelect} />
          </li>
        ))}
      </ul>
      {items.length > limit && (
        <button type="button" className={`${entryLook} hover:bg-hover`} data-entry onClick={showMore}>
          Show {formatCount(Math.min(ENTRIES_AT_ONCE, items.length - limit))} more of{' '}
          {formatCount(items.length - limit)}
        </button>
      )}
    </section>
  );
}

interface EntryProps {
  readonly item: OfferItem;
  readonly isCurrent: boolean;
  readonly onSelect: (key: string) => void;
}

function Entry({ item, isCurrent, onSelect }: EntryProps) {
  const name = item.kind === 'resource' ? (item.title ?? item.name) : item.name;
  const line = firstLine(item);
  return (
    <button
      type="button"
      className={`${entryLook} ${isCurrent ? 'bg-accent-soft' : 'hover:bg-hover'}`}
      aria-label={name}
      aria-description={line}
      aria-current={isCurrent || undefined}
      data-entry
      onClick={() => onSelect(item.key)}
    >
      <span
        className={isCurrent ? 'truncate font-semibold' : 'truncate'}
        data-tip={item.title ?? item.name}
        data-tip-if-cut
      >
        {name}
      </span>
      {line !== undefined && <span className="truncate text-12/16 text-dim">{line}</span>}
    </button>
  );
}

/** First line of a description, without Markdown signs. */
function firstLine({ description, title, kind }: OfferItem): string | undefined {
  const line = (description ?? '')
    .slice(0, LINE_LENGTH * 2)
    .split('\n')
    .find((one) => one.trim() !== '');
  if (line === undefined) return kind === 'resource' ? undefined : title;
  return toPlainText(line.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/^#+\s+|[*`]/g, '')).slice(
    0,
    LINE_LENGTH,
  );
}

const textOf = ({ name, title = '', description = '' }: OfferItem): string =>
  `${name} ${title} ${description}`.toLowerCase();

/** Moves the focus between the entries with arrow keys; the down arrow moves it from the search to the first entry. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = ownValue({ ArrowDown: 1, ArrowUp: -1 }, event.key);
  if (step === undefined) return;
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-entry]')];
  const at = entries.findIndex((entry) => entry === document.activeElement);
  const next = entries[at + step];
  if (next === undefined || (at < 0 && step < 0)) return;
  event.preventDefault();
  next.focus();
}

/** Message about a list, such as the tools, that could not be fetched from the server. */
export interface OfferTrouble {
  readonly lead: string;
  readonly error: ErrorReport;
}

const lists: Readonly<Record<OfferList, { readonly words: string; readonly kind: ItemKind }>> = {
  tools: { words: 'tools', kind: 'tool' },
  prompts: { words: 'prompts', kind: 'prompt' },
  resources: { words: 'resources', kind: 'resource' },
  resourceTemplates: { words: 'resource templates', kind: 'template' },
};

/** Returns the errors from the last listing of the server's tools, prompts and resources: one for all, or one per failed list. */
export function troublesOf(
  state: Pick<InspectorState, 'items' | 'failures' | 'offerError'>,
): readonly OfferTrouble[] {
  const { items = [], failures, offerError } = state;
  if (offerError !== undefined)
    return [{ lead: 'Its tools, prompts and resources could not be listed', error: offerError }];
  return failures.map(({ list, error }: OfferFailure) => {
    const { words, kind } = lists[list];
    const isPartial = items.some((item) => item.kind === kind);
    return { lead: `Its ${words} could not be listed${isPartial ? ' to the end' : ''}`, error };
  });
}

/** Returns messages about lists that are only partly shown: "5000 of 100 000 tools are listed; …" */
export function partWords(parts: readonly OfferPart[]): readonly string[] {
  return parts.map(({ list, shown, total, isAtLeast }) => {
    const all = isAtLeast ? `more than ${formatCount(total)}` : formatCount(total);
    return `${formatCount(shown)} of ${all} ${lists[list].words} are listed; the rest is too much to show.`;
  });
}
