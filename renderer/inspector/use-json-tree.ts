import { useDeferredValue, useMemo, useState, type KeyboardEvent } from 'react';
import {
  CHILDREN_AT_ONCE,
  firstOpen,
  idOf,
  toJsonRows,
  type JsonRow,
  type JsonStep,
  type JsonView,
  childrenOf,
} from './json-rows.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Returns the state of a JSON tree: expanded rows, the active row, and the matches of the search. */
export function useJsonTree(value: unknown) {
  const [view, setView] = useState<JsonView>(() => ({ open: firstOpen(value), shown: new Map() }));
  const [active, setActive] = useState(idOf([]));
  const rows = useMemo(() => toJsonRows(value, view), [value, view]);
  const activeAt = Math.max(
    0,
    rows.findIndex(({ id }) => id === active),
  );

  const act = (row: JsonRow) => setView(row.kind === 'more' ? withMore(view, row) : toggled(view, row));
  const search = useTreeSearch(value, (place) => {
    setView(revealed(view, value, place));
    setActive(idOf(place));
  });

  const press = (event: KeyboardEvent) => {
    const row = rows[activeAt];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const go = (index: number) =>
      setActive(rows[Math.min(rows.length - 1, Math.max(0, index))]?.id ?? active);
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(activeAt + 1),
      ArrowUp: () => go(activeAt - 1),
      PageDown: () => go(activeAt + 15),
      PageUp: () => go(activeAt - 15),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (row.isOpen === false ? act(row) : go(activeAt + 1)),
      ArrowLeft: () => (row.isOpen === true ? act(row) : setActive(idOf(row.path.slice(0, -1)))),
      Enter: () => act(row),
      ' ': () => act(row),
    };
    const action = ownValue(actions, event.key);
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  return {
    rows,
    activeAt,
    press,
    pick: (row: JsonRow) => {
      setActive(row.id);
      act(row);
    },
    foldAll: () => {
      setView({ open: new Set([idOf([])]), shown: new Map() });
      setActive(idOf([]));
    },
    ...search,
  };
}

function toggled(view: JsonView, { id, isOpen }: JsonRow): JsonView {
  if (isOpen === undefined) return view;
  const open = new Set(view.open);
  if (isOpen) open.delete(id);
  else open.add(id);
  return { ...view, open };
}

function withMore(view: JsonView, { path }: JsonRow): JsonView {
  const id = idOf(path);
  const shown = new Map(view.shown).set(id, (view.shown.get(id) ?? CHILDREN_AT_ONCE) + CHILDREN_AT_ONCE);
  return { ...view, shown };
}

/** Returns the state of the search in a tree. `reveal` is called with the path of a match to make that match visible. */
function useTreeSearch(value: unknown, reveal: (place: readonly JsonStep[]) => void) {
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const words = useDeferredValue(search);
  const found = useMemo(() => findInJson(value, words), [value, words]);
  const visit = (next: number) => {
    const place = found.at(next % Math.max(1, found.length));
    if (place === undefined) return;
    setAt(((next % found.length) + found.length) % found.length);
    reveal(place);
  };
  const typeSearch = (typed: string) => {
    setSearch(typed);
    setAt(0);
    const [place] = findInJson(value, typed);
    if (place !== undefined) reveal(place);
  };
  return { search, typeSearch, found, foundAt: at, visit };
}

/** Maximum number of matches that a search finds; further matches are ignored. */
const MOST_MATCHES = 1000;

/** Returns the paths whose name or value contains the search text, from the top. */
export function findInJson(root: unknown, words: string): readonly (readonly JsonStep[])[] {
  const wanted = words.toLowerCase();
  const found: (readonly JsonStep[])[] = [];
  const look = (value: unknown, path: readonly JsonStep[]): void => {
    if (found.length >= MOST_MATCHES) return;
    const children = childrenOf(value);
    const name = path.at(-1);
    const own = typeof name === 'string' ? name : '';
    const text = children === undefined ? String(value) : '';
    if (own.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted)) found.push(path);
    for (const [step, child] of children ?? []) look(child, [...path, step]);
  };
  if (wanted !== '') look(root, []);
  return found;
}

/** Returns the view in which a path is visible: all its ancestors are expanded, and enough children are shown. */
export function revealed(view: JsonView, root: unknown, path: readonly JsonStep[]): JsonView {
  const open = new Set(view.open);
  const shown = new Map(view.shown);
  let value = root;
  path.forEach((step, index) => {
    const id = idOf(path.slice(0, index));
    open.add(id);
    const children = childrenOf(value) ?? [];
    const at = children.findIndex(([other]) => other === step);
    if (at >= (shown.get(id) ?? CHILDREN_AT_ONCE))
      shown.set(id, Math.ceil((at + 1) / CHILDREN_AT_ONCE) * CHILDREN_AT_ONCE);
    value = children[at]?.[1];
  });
  return { open, shown };
}
