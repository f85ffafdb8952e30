import type { KeyboardEvent } from 'react';
import { IconButton } from '../components/icon-button.tsx';
import { SearchField } from '../components/search-field.tsx';
import { formatCount } from '../format/figures.ts';
import type { InspectorStore } from './inspector-store.ts';
import type { ItemKind, OfferItem } from './offer-items.ts';
import styles from './inspector.module.css';

interface OfferListProps {
  readonly inspector: InspectorStore;
  readonly items: readonly OfferItem[];
  readonly current: string | undefined;
  readonly search: string;
  readonly isListing: boolean;
}

const groups: readonly (readonly [ItemKind, string])[] = [
  ['tool', 'Tools'],
  ['prompt', 'Prompts'],
  ['resource', 'Resources'],
  ['template', 'Resource templates'],
];

/** Everything on offer, by kind, narrowed by words. */
export function OfferList({ inspector, items, current, search, isListing }: OfferListProps) {
  const words = search.toLowerCase().split(/\s+/);
  const found = items.filter(({ name, title = '', description = '' }) => {
    const text = `${name} ${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <nav className={styles.list} aria-label="Offer" onKeyDown={moveFocus}>
      <div className={styles.search}>
        <SearchField
          name="Search tools, prompts and resources"
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
      <div className={styles.groups}>
        {groups.map(([kind, title]) => (
          <Group
            key={kind}
            title={title}
            items={found.filter((item) => item.kind === kind)}
            current={current}
            onSelect={(selected) => inspector.state.setState({ selected })}
          />
        ))}
        {found.length === 0 && <p className={styles.nothing}>Nothing on offer matches “{search}”.</p>}
      </div>
    </nav>
  );
}

interface GroupProps {
  readonly title: string;
  readonly items: readonly OfferItem[];
  readonly current: string | undefined;
  readonly onSelect: (key: string) => void;
}

function Group({ title, items, current, onSelect }: GroupProps) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={styles.group}>
        {title} <span>{formatCount(items.length)}</span>
      </h2>
      <ul>
        {items.map((item) => (
          <li key={item.key}>
            <button
              type="button"
              className={item.key === current ? styles.current : styles.entry}
              aria-current={item.key === current || undefined}
              data-entry
              data-tip={item.title ?? item.name}
              data-tip-if-cut
              onClick={() => onSelect(item.key)}
            >
              {item.kind === 'resource' ? (item.title ?? item.name) : item.name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Up and down walk through the entries; from the search, down enters them. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-entry]')];
  const at = entries.findIndex((entry) => entry === document.activeElement);
  const next = entries[at + step];
  if (next === undefined || (at < 0 && step < 0)) return;
  event.preventDefault();
  next.focus();
}
