import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { formatCount } from '../format/figures.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { holdsMoreThan, shownName, shownValue, type JsonKind, type JsonRow, pathWords } from './json-rows.ts';
import { useJsonTree } from './use-json-tree.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { showDirectionControls } from '../format/text-direction.ts';
import { LongText } from './long-text.tsx';
import { toJson } from './result-blocks.ts';

/** Height of a row in px, which must match the row's CSS classes. */
const ROW_PX = 20;
/** Number of rows rendered at a time, which is more than fit into the tallest tree. Ten of them are above the visible ones. */
const ROWS_AT_ONCE = 60;
const ROWS_BEFORE = 10;
/** A tree that contains more values than this has a search field. */
const SEARCHED_FROM = 12;

/** Collapsible tree of a JSON value. Only the rows in and near the visible area are rendered. */
export function JsonTree({ value, name }: { readonly value: unknown; readonly name: string }) {
  const tree = useJsonTree(value);
  const { rows, activeAt } = tree;
  const [top, setTop] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const isSearched = useMemo(() => holdsMoreThan(value, SEARCHED_FROM), [value]);
  const first = Math.max(0, Math.floor(top / ROW_PX) - ROWS_BEFORE);
  const active = rows[activeAt];

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const [from, to] = [activeAt * ROW_PX, (activeAt + 1) * ROW_PX];
    if (from < element.scrollTop) element.scrollTop = from;
    else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight;
  }, [activeAt]);

  return (
    <div className="flex flex-col min-w-0 border border-line rounded-md bg-input overflow-hidden">
      {isSearched && <TreeTools tree={tree} name={name} />}
      <div
        ref={scroller}
        role="tree"
        tabIndex={0}
        className="max-h-[max(220px,48vh)] py-4 overflow-auto"
        aria-label={name}
        aria-activedescendant={`${id}-${activeAt}`}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={tree.press}
      >
        <div role="none" className="relative" style={{ height: rows.length * ROW_PX }}>
          {rows.slice(first, first + ROWS_AT_ONCE).map((row, index) => (
            <Row
              key={row.id}
              id={`${id}-${first + index}`}
              row={row}
              top={(first + index) * ROW_PX}
              isActive={first + index === activeAt}
              onPick={tree.pick}
            />
          ))}
        </div>
      </div>
      {active !== undefined && active.kind !== 'more' && <JsonPlace key={active.id} row={active} />}
    </div>
  );
}

interface TreeToolsProps {
  readonly tree: ReturnType<typeof useJsonTree>;
  readonly name: string;
}

/** Search in the tree, and buttons that expand and collapse it. */
function TreeTools({ tree, name }: TreeToolsProps) {
  const { search, found, foundAt } = tree;
  return (
    <div className="flex items-center flex-none gap-8 min-h-32 px-8 border-b border-line text-12">
      <input
        type="text"
        className="flex-1 h-24 min-w-0 rounded-sm field text-12"
        aria-label={`Search in ${name}`}
        placeholder="Search names and values"
        value={search}
        spellCheck={false}
        onChange={(event) => tree.typeSearch(event.currentTarget.value)}
        onKeyDown={(event) => pressInSearch(event, (step) => tree.visit(foundAt + step), tree.typeSearch)}
      />
      <span role="status" className="whitespace-nowrap text-dim">
        {search !== '' &&
          (found.length === 0 ? 'No match' : `${formatCount(foundAt + 1)} of ${formatCount(found.length)}`)}
      </span>
      {found.length > 1 && (
        <IconButton
          icon="down"
          name="Next match"
          tip="Next match  Enter"
          onClick={() => tree.visit(foundAt + 1)}
        />
      )}
      <TextButton look="link" onClick={tree.foldAll}>
        Fold all
      </TextButton>
    </div>
  );
}

// Hovered rows get a mark at the edge instead of a darker background, on which the text colors of values would not be legible.
const rowLook =
  'absolute inset-x-0 box-border h-20 pr-8 overflow-hidden text-ellipsis whitespace-pre text-12/20 font-mono';

const activeEdge = '[box-shadow:inset_2px_0_var(--accent)]';
const hoverEdge = 'hover:[box-shadow:inset_2px_0_var(--strong-line)]';

const inks: Readonly<Record<JsonKind, string>> = {
  object: 'text-dim',
  list: 'text-dim',
  text: 'text-(--calls)',
  number: 'text-cpu',
  word: 'text-(--duration)',
  more: 'link',
};

const sign = 'inline-block w-5 h-5 mr-8 ml-2';

/** Returns the CSS classes of the sign before a row: an arrow if the row can be expanded, otherwise space of the same width. */
function signLook(isOpen: boolean | undefined): string {
  if (isOpen === undefined) return `${sign} mb-2`;
  const arrow = `${sign} border-solid border-faint [border-width:1.4px_1.4px_0_0]`;
  return isOpen ? `${arrow} mb-4 rotate-135` : `${arrow} mb-2 rotate-45`;
}

interface RowProps {
  readonly id: string;
  readonly row: JsonRow;
  readonly top: number;
  readonly isActive: boolean;
  readonly onPick: (row: JsonRow) => void;
}

function Row({ id, row, top, isActive, onPick }: RowProps) {
  const { text, isCut } = shownValue(row);
  const name = shownName(row);
  return (
    <div
      id={id}
      role="treeitem"
      className={`${rowLook} ${isActive ? activeEdge : hoverEdge}`}
      style={{ top, paddingLeft: 8 + (row.level - 1) * 16 }}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={row.isOpen}
      aria-selected={isActive}
      onClick={() => onPick(row)}
    >
      <span className={signLook(row.isOpen)} />
      {name !== undefined && (
        <span className={typeof row.path.at(-1) === 'number' ? 'text-dim' : 'text-text'}>{name}: </span>
      )}
      <span className={inks[row.kind]}>{text}</span>
      {isCut && <span className="text-dim">… {formatCount(String(row.value).length)} characters</span>}
    </div>
  );
}

function pressInSearch(
  event: KeyboardEvent<HTMLInputElement>,
  visit: (step: number) => void,
  type: (words: string) => void,
): void {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) visit(event.shiftKey ? -1 : 1);
  if (event.key !== 'Escape') return;
  event.preventDefault();
  type('');
  event.currentTarget.blur();
}

/** Details of the selected row of a tree: its path and value to copy, and the full text if it is long. */
function JsonPlace({ row }: { readonly row: JsonRow }) {
  const [isWhole, setWhole] = useState(false);
  const { path, value } = row;
  const isLong = typeof value === 'string' && (shownValue(row).isCut || value.includes('\n'));
  const words = showDirectionControls(pathWords(path));
  return (
    <>
      <div className="flex items-center flex-none gap-8 min-h-32 px-8 border-t border-line text-12">
        <code className="min-w-0 flex-1 truncate text-12 text-dim" data-tip={words} data-tip-if-cut>
          {words}
        </code>
        {isLong && (
          <TextButton look="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : 'Show all'}
          </TextButton>
        )}
        <CopyButton name="Copy the path" label="Path" text={pathWords(path)} />
        <CopyButton
          name="Copy the value"
          label="Value"
          text={() => (typeof value === 'string' ? value : toJson(value))}
        />
      </div>
      {isWhole && typeof value === 'string' && (
        <LongText text={showDirectionControls(value)} name={`Value of ${words}`} />
      )}
    </>
  );
}
