import { childrenOf, idOf, CHILDREN_AT_ONCE, type JsonStep, type JsonView } from './json-rows.ts';

/** Maximum matches that are counted and visited. */
const MOST_MATCHES = 1000;

/** Paths whose name or value contains the words, from the top. */
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

/** View in which a path is visible: all its ancestors are expanded, and enough children are shown. */
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
