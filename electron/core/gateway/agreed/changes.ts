import type { OfferList } from '../../../../shared/domain.ts';
import { showHiddenCharacters } from '../../../../shared/hidden-characters.ts';
import type { ChangedOffer } from '../../../../shared/offered-tools.ts';
import { judgedFields, type OfferedItem } from '../../sessions/offer/offer-items.ts';

type Items = ReadonlyMap<string, OfferedItem>;

const kinds = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource',
} as const;

/** Compares two versions of a list. Returns items with a different text under their id, and new items. Ignores the order. */
export function compareItems(before: Items, now: Items): { changed: OfferedItem[]; added: OfferedItem[] } {
  const all = [...now.values()];
  const differs = (item: OfferedItem) => (before.get(item.id)?.hash ?? item.hash) !== item.hash;
  return { changed: all.filter(differs), added: all.filter(({ id }) => !before.has(id)) };
}

/** Returns a changed item as it is shown to the user. */
export function changeOf(
  list: OfferList,
  before: OfferedItem,
  now: OfferedItem,
  isHeld: boolean,
): ChangedOffer {
  const parts = judgedFields[list].map((field) => ({
    field,
    ...(before.value[field] !== undefined && { before: textOf(before.value[field]) }),
    ...(now.value[field] !== undefined && { after: textOf(now.value[field]) }),
  }));
  return {
    kind: kinds[list],
    change: 'changed',
    name: showHiddenCharacters(now.id),
    isHeld,
    parts: parts.filter((part) => part.before !== part.after),
  };
}

/** Returns a new item. If it replaced a missing one with the same text, it counts as renamed. */
export function additionOf(list: OfferList, item: OfferedItem, before: Items, now: Items): ChangedOffer {
  const former = [...before.values()].find(({ id, hash }) => hash === item.hash && !now.has(id));
  const parts = former ? [] : changeOf(list, { ...item, value: {} }, item, false).parts;
  return {
    kind: kinds[list],
    change: former ? 'renamed' : 'new',
    name: showHiddenCharacters(item.id),
    ...(former && { from: showHiddenCharacters(former.id) }),
    isHeld: false,
    parts: [...parts],
  };
}

export function instructionsChange(before: string | null, now: string | null, isHeld: boolean): ChangedOffer {
  const text = (words: string | null) => showHiddenCharacters(words ?? '');
  return {
    ...{ kind: 'instructions', change: 'changed', name: 'instructions', isHeld },
    parts: [{ field: 'text', before: text(before), after: text(now) }],
  };
}

/** Returns the change for a list that has become too long to be compared. */
export const lengthChange = (list: OfferList): ChangedOffer => ({
  ...{ kind: kinds[list], change: 'changed', name: 'the whole list', isHeld: true },
  parts: [{ field: 'text', after: 'It is longer than 512 KiB now, so that no text of it can be compared.' }],
});

const textOf = (value: unknown): string =>
  showHiddenCharacters(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
