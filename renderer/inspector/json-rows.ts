import { showDirectionControls } from '../format/text-direction.ts';
import { formatPlural } from '../format/figures.ts';
import { parsedJson } from '../../shared/parsed.ts';

export type JsonStep = string | number;
export type JsonKind = 'object' | 'list' | 'text' | 'number' | 'word' | 'more';

/** Row of a collapsible JSON tree. */
export interface JsonRow {
  /** Id of the row, unique within the tree. */
  readonly id: string;
  readonly path: readonly JsonStep[];
  readonly kind: JsonKind;
  readonly value: unknown;
  readonly level: number;
  /** Position among the children of the same parent, starting from 1, and the number of these children. */
  readonly place: number;
  readonly siblings: number;
  /** Whether the row is expanded; undefined if it has no children. */
  readonly isOpen: boolean | undefined;
}

/** State of a tree: the ids of its expanded rows, each with the number of children shown if it is not `CHILDREN_AT_ONCE`. */
export interface JsonView {
  readonly open: ReadonlySet<string>;
  readonly shown: ReadonlyMap<string, number>;
}

export const CHILDREN_AT_ONCE = 1000;
/** Maximum rows that are shown when a tree opens. */
const FIRST_ROWS = 200;
const SHOWN_CHARACTERS = 200;

export const idOf = (path: readonly JsonStep[]): string => JSON.stringify(path);

/** Children of an object or a list with their steps; undefined for other values. */
export function childrenOf(value: unknown): readonly (readonly [JsonStep, unknown])[] | undefined {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [index, item] as const);
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
}

/** True if a value and all values nested in it number more than `limit`. */
export function holdsMoreThan(value: unknown, limit: number): boolean {
  let left = limit;
  const count = (part: unknown): boolean => {
    left -= 1;
    return left < 0 || (childrenOf(part) ?? []).some(([, child]) => count(child));
  };
  return count(value);
}

/** Returns the rows of a tree from top to bottom, leaving out the children of collapsed rows. */
export function toJsonRows(root: unknown, view: JsonView): readonly JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (value: unknown, path: readonly JsonStep[], place: number, siblings: number): void => {
    const id = idOf(path);
    const children = childrenOf(value);
    const isOpen = children !== undefined && children.length > 0 ? view.open.has(id) : undefined;
    const level = path.length + 1;
    rows.push({ id, path, kind: kindOf(value), value, level, place, siblings, isOpen });
    if (isOpen !== true || children === undefined) return;
    const limit = view.shown.get(id) ?? CHILDREN_AT_ONCE;
    const count = Math.min(children.length, limit + 1);
    children.slice(0, limit).forEach(([step, child], at) => add(child, [...path, step], at + 1, count));
    if (children.length <= limit) return;
    const rest = { kind: 'more', value: children.length - limit, level: level + 1 } as const;
    rows.push({ ...rest, id: `${id} more`, path, place: count, siblings: count, isOpen: undefined });
  };
  add(root, [], 1, 1);
  return rows;
}

function kindOf(value: unknown): JsonKind {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object' && value !== null) return 'object';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'word';
}

/** Returns the ids of the rows that are expanded at first: level by level, as long as the tree stays short. */
export function firstOpen(root: unknown): ReadonlySet<string> {
  const open = new Set<string>();
  let level: (readonly [readonly JsonStep[], unknown])[] = [[[], root]];
  let count = 1;
  while (level.length > 0) {
    const next: typeof level = [];
    for (const [path, value] of level) {
      const children = childrenOf(value) ?? [];
      if (children.length === 0 || (path.length > 0 && count + children.length > FIRST_ROWS)) continue;
      count += children.length;
      open.add(idOf(path));
      next.push(...children.map(([step, child]) => [[...path, step], child] as const));
    }
    level = next;
  }
  return open;
}

/** Returns the name shown in a row; undefined for the root, and for the row that represents further children. */
export function shownName({ kind, path }: JsonRow): string | undefined {
  const step = kind === 'more' ? undefined : path.at(-1);
  return typeof step === 'string' ? showDirectionControls(step) : step?.toString();
}

/** Value shown in a row, on one line, and whether it is cut. */
export function shownValue({ kind, value, isOpen }: JsonRow): {
  readonly text: string;
  readonly isCut: boolean;
} {
  const whole = (text: string) => ({ text, isCut: false });
  switch (kind) {
    case 'list':
    case 'object': {
      const [left, right] = kind === 'list' ? '[]' : '{}';
      const count = (childrenOf(value) ?? []).length;
      if (isOpen === undefined) return whole(`${left}${right}`);
      return whole(
        isOpen
          ? (left ?? '')
          : `${left}…${right}  ${formatPlural(count, kind === 'list' ? 'item' : 'property', kind === 'list' ? 'items' : 'properties')}`,
      );
    }
    case 'text': {
      const text = String(value);
      const isCut = text.length > SHOWN_CHARACTERS;
      return {
        text: showDirectionControls(JSON.stringify(isCut ? text.slice(0, SHOWN_CHARACTERS) : text)),
        isCut,
      };
    }
    case 'more':
      return whole(`Show more of ${formatPlural(Number(value), 'item')}`);
    default:
      return whole(JSON.stringify(value) ?? 'undefined');
  }
}

/** Path as in code: `content[0].text`; `$` for the root. */
export function pathWords(path: readonly JsonStep[]): string {
  const words = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `[${JSON.stringify(step)}]`;
    return index === 0 ? step : `.${step}`;
  });
  return words.length === 0 ? '$' : words.join('');
}

/** Returns the object or list that a text represents as JSON; undefined for any other text. */
export function jsonWithin(text: string): { readonly value: object } | undefined {
  const value = /^\s*[[{]/.test(text) ? parsedJson(text) : undefined;
  return typeof value === 'object' && value !== null ? { value } : undefined;
}
