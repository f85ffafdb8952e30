import { fillAsks } from '../../shared/asks.ts';
import type { Ask } from '../../shared/manage.ts';
import { isSameJson, type RawEntry } from './raw-entry.ts';
import { ownValue } from '../../shared/own-value.ts';

/**
 * Answers typed by the user, by id of the question. A question that the user did not answer keeps its found or suggested
 * answer.
 */
export type Answers = Readonly<Record<string, string>>;

/** Answer in the field: typed, else found in the user's environment, else suggested, else empty. */
export const answerOf = (ask: Ask, answers: Answers): string =>
  ownValue(answers, ask.id) ?? ask.found ?? ask.suggestion ?? '';

/** Whether the field shows the value from the user's environment. */
export const isFromEnvironment = (ask: Ask, answers: Answers): boolean =>
  ask.found !== undefined && answerOf(ask, answers) === ask.found;

/** Path of a question among the problems of a form. */
export const askPath = ({ id }: Ask): string => `ask ${id}`;

/** Questions without an answer. */
export const unanswered = (asks: readonly Ask[], answers: Answers): readonly Ask[] =>
  asks.filter((ask) => answerOf(ask, answers).trim() === '');

/** Entry with every answer filled in. Placeholders without an answer stay. */
export const answeredEntry = (entry: RawEntry, asks: readonly Ask[], answers: Answers): RawEntry =>
  asks.length === 0
    ? entry
    : fillAsks({ entry, asks }, Object.fromEntries(asks.map((ask) => [ask.id, answerOf(ask, answers)])));

/** Questions whose placeholder is still in the entry; the user may have replaced it by hand. */
export const askedIn = (entry: RawEntry, asks: readonly Ask[]): readonly Ask[] =>
  asks.filter(
    (ask) => !isSameJson(entry, fillAsks({ entry, asks: [ask] }, { [ask.id]: `${ask.placeholder}?` })),
  );

/** Label of a question. A path that has no name is described by its kind. */
export const labelOf = ({ kind, label, placeholder }: Ask): string => {
  if (/^\$\{workspaceFolder\b/.test(placeholder)) return 'Folder of the project';
  return kind === 'path' && label === placeholder ? 'Path on this machine' : label;
};

/** Describes in a word or two where the value is put. */
export function placeWords({ where, key }: Ask): string {
  switch (where) {
    case 'env':
      return `variable ${key}`;
    case 'header':
      return `header ${key}`;
    case 'args':
      return `argument ${Number(key) + 1}`;
    case 'cwd':
      return 'working folder';
    case 'url':
      return 'address';
    case 'command':
      return 'command';
  }
}
