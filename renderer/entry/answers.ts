import { fillAsks, type Ask } from '../../shared/asks.ts';
import { isSameJson, type RawEntry } from './raw-entry.ts';
import { ownValue } from '../../shared/own-value.ts';

/** What a person typed, by the id of the ask. An ask that is absent has the answer that was found or suggested. */
export type Answers = Readonly<Record<string, string>>;

/** The answer as the field shows it: typed, else found in the person's environment, else suggested; empty without any. */
export const answerOf = (ask: Ask, answers: Answers): string =>
  ownValue(answers, ask.id) ?? ask.found ?? ask.suggestion ?? '';

/** Whether the field shows the value of the person's environment. */
export const isFromEnvironment = (ask: Ask, answers: Answers): boolean =>
  ask.found !== undefined && answerOf(ask, answers) === ask.found;

/** Path of an ask among the problems of a form. */
export const askPath = ({ id }: Ask): string => `ask ${id}`;

/** Asks without an answer. */
export const unanswered = (asks: readonly Ask[], answers: Answers): readonly Ask[] =>
  asks.filter((ask) => answerOf(ask, answers).trim() === '');

/** The entry with every answer in its place. Placeholders without one stay. */
export const answeredEntry = (entry: RawEntry, asks: readonly Ask[], answers: Answers): RawEntry =>
  asks.length === 0
    ? entry
    : fillAsks({ entry, asks }, Object.fromEntries(asks.map((ask) => [ask.id, answerOf(ask, answers)])));

/** Asks whose placeholder still stands in the entry; a person may have written over it by hand. */
export const askedIn = (entry: RawEntry, asks: readonly Ask[]): readonly Ask[] =>
  asks.filter(
    (ask) => !isSameJson(entry, fillAsks({ entry, asks: [ask] }, { [ask.id]: `${ask.placeholder}?` })),
  );

/** What is wanted, in words: a path that has no name of its own is called by what it is. */
export const labelOf = ({ kind, label, placeholder }: Ask): string => {
  if (/^\$\{workspaceFolder\b/.test(placeholder)) return 'Folder of the project';
  return kind === 'path' && label === placeholder ? 'Path on this machine' : label;
};

/** Where the value goes, in a word or two. */
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
