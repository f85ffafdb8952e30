import { fillAsks } from '../../shared/asks.ts';
import type { Ask } from '../../shared/manage.ts';
import { isSameJson, type RawEntry } from './raw-entry.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Answers typed by the user, by id of the question. A question missing here keeps the answer that was found or suggested. */
export type Answers = Readonly<Record<string, string>>;

/** Answer that the field shows: the one typed, else found in the user's environment, else suggested, else an empty text. */
export const answerOf = (ask: Ask, answers: Answers): string =>
  ownValue(answers, ask.id) ?? ask.found ?? ask.suggestion ?? '';

/** True if the field shows the value from the user's environment. */
export const isFromEnvironment = (ask: Ask, answers: Answers): boolean =>
  ask.found !== undefined && answerOf(ask, answers) === ask.found;

/** Key under which the problem of a question is stored among the problems of a form. */
export const askPath = ({ id }: Ask): string => `ask ${id}`;

/** Questions without an answer. */
export const unanswered = (asks: readonly Ask[], answers: Answers): readonly Ask[] =>
  asks.filter((ask) => answerOf(ask, answers).trim() === '');

/** Returns the entry with all answers filled in. Placeholders of unanswered questions stay. */
export const answeredEntry = (entry: RawEntry, asks: readonly Ask[], answers: Answers): RawEntry =>
  asks.length === 0
    ? entry
    : fillAsks({ entry, asks }, Object.fromEntries(asks.map((ask) => [ask.id, answerOf(ask, answers)])));

/** Questions whose placeholder is still in the entry. The user may have replaced others by hand. */
export const askedIn = (entry: RawEntry, asks: readonly Ask[]): readonly Ask[] =>
  asks.filter(
    (ask) => !isSameJson(entry, fillAsks({ entry, asks: [ask] }, { [ask.id]: `${ask.placeholder}?` })),
  );

/** Label for a question. A placeholder for a path without a name gets a description of its kind. */
export const labelOf = ({ kind, label, placeholder }: Ask): string => {
  if (/^\$\{workspaceFolder\b/.test(placeholder)) return 'Folder of the project';
  return kind === 'path' && label === placeholder ? 'Path on this machine' : label;
};

/** Says in a word or two which part of the entry the value goes to. */
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
