import { ownValue } from '../../shared/own-value.ts';
import { answeredEntry, unanswered, type Answers } from '../entry/answers.ts';
import { withKey, type RawEntry } from '../entry/raw-entry.ts';
import { formatPlural } from '../format/figures.ts';
import type { Choice } from './choices.ts';

/** Values that the user entered for the servers to import, by the id of the choice (server). */
export type AnswersByChoice = Readonly<Record<string, Answers>>;

/** Ids of the choices that are selected for import, and the values entered for them. */
export interface Ticks {
  readonly ticked: ReadonlySet<string>;
  readonly answers: AnswersByChoice;
}

export const answersOf = ({ id }: Choice, answers: AnswersByChoice): Answers => ownValue(answers, id) ?? {};

/** True if a server can work here: nothing, such as a missing command, prevents it, and all values that it needs are entered. */
const canWork = (choice: Choice, answers: AnswersByChoice): boolean =>
  choice.obstacle === undefined && unanswered(choice.asks, answersOf(choice, answers)).length === 0;

/** Whether a choice may be preselected: it can work, and has no warnings. */
const isReady = (choice: Choice, answers: AnswersByChoice): boolean =>
  choice.warnings.length === 0 && canWork(choice, answers);

/** Returns the ids of the choices that are new and may be preselected, one per name. */
export function readyOnes(choices: readonly Choice[], answers: AnswersByChoice): ReadonlySet<string> {
  return choices
    .filter((choice) => choice.status === 'new' && isReady(choice, answers))
    .reduce<ReadonlySet<string>>(
      (ticked, { id, name }) =>
        choices.some((choice) => choice.name === name && ticked.has(choice.id))
          ? ticked
          : new Set([...ticked, id]),
      new Set(),
    );
}

/** Selects or deselects one choice. Of several choices with the same name, only the one selected last stays selected. */
export function toggleChoice(
  choices: readonly Choice[],
  ticked: ReadonlySet<string>,
  id: string,
): ReadonlySet<string> {
  const next = new Set(ticked);
  return next.delete(id) ? next : tick(choices, next, id);
}

function tick(choices: readonly Choice[], ticked: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const name = choices.find((choice) => choice.id === id)?.name;
  const others = choices.filter((choice) => choice.name === name).map((choice) => choice.id);
  return new Set([...[...ticked].filter((other) => !others.includes(other)), id]);
}

/** Updates the selection after a value changed: selects a choice once it has all its values, deselects it when one is cleared. */
export function answerTick(
  choices: readonly Choice[],
  { ticked, answers }: Ticks,
  { choice, ask, value }: { readonly choice: Choice; readonly ask: string; readonly value: string },
): Ticks {
  const next = { ...answers, [choice.id]: { ...answersOf(choice, answers), [ask]: value } };
  const [could, can] = [canWork(choice, answers), canWork(choice, next)];
  if (could === can) return { ticked, answers: next };
  const without = new Set([...ticked].filter((id) => id !== choice.id));
  return {
    answers: next,
    ticked: can && choice.warnings.length === 0 ? tick(choices, without, choice.id) : without,
  };
}

/** Returns the entry to write. An entry that cannot work yet is disabled, because it would only fail repeatedly. */
export function entryToTake(choice: Choice, answers: AnswersByChoice): RawEntry {
  const entry = answeredEntry(choice.entry, choice.asks, answersOf(choice, answers));
  return canWork(choice, answers) ? entry : withKey(entry, 'disabled', true);
}

/** Describes in one or two sentences what the import will do; undefined if nothing is selected. */
export function takingWords(choices: readonly Choice[], { ticked, answers }: Ticks): string | undefined {
  const taken = choices.filter(({ id }) => ticked.has(id));
  if (taken.length === 0) return undefined;
  const replaced = taken.filter(({ status }) => status === 'different').map(({ name }) => name);
  const waiting = taken.filter((choice) => !canWork(choice, answers)).map(({ name }) => name);
  const added = taken.length - replaced.length;
  const parts = [
    added > 0 ? `adds ${formatPlural(added, 'server')}` : '',
    replaced.length > 0 ? `replaces ${listShort(replaced)}` : '',
  ].filter((part) => part !== '');
  const off =
    waiting.length > 0 ? ` ${listShort(waiting)} cannot work yet, and ${isOrAre(waiting)} switched off.` : '';
  return `${capitalised(parts.join(' and '))}.${off}`;
}

/** Names the unselected servers that still need values from the user, in one sentence; empty if there are none. */
export function waitingWords(choices: readonly Choice[], { ticked, answers }: Ticks): string {
  const waiting = choices
    .filter(
      (choice) => !ticked.has(choice.id) && unanswered(choice.asks, answersOf(choice, answers)).length > 0,
    )
    .map(({ name }) => name);
  return waiting.length === 0
    ? ''
    : `${listShort(waiting)} ${waiting.length === 1 ? 'needs' : 'need'} values first.`;
}

const isOrAre = (names: readonly string[]): string => (names.length === 1 ? 'is' : 'are');
const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Returns a text with up to two names, or a count if there are more. */
function listShort(names: readonly string[]): string {
  return names.length > 2 ? formatPlural(names.length, 'server') : names.join(' and ');
}
