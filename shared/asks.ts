import { isJsonObject, type JsonObject } from './json-object.ts';
import type { Ask, AskPlace } from './manage.ts';
import { ownValue } from './own-value.ts';

/** A server's entry, and the questions whose answers replace its placeholders. */
interface AskingEntry {
  readonly entry: JsonObject;
  readonly asks?: readonly Ask[] | undefined;
}

/**
 * Returns the entry with its placeholders replaced by the answers. A placeholder stays if its answer is missing or empty. A
 * placeholder of the form `${…}` has one question and is replaced everywhere in the entry, because it means the same value
 * everywhere. Any other placeholder is replaced only at the position that its question names. Answers are not searched for
 * placeholders. @param answers answers by id of the question
 */
export function fillAsks(
  { entry, asks = [] }: AskingEntry,
  answers: Readonly<Record<string, string>>,
): JsonObject {
  const given = asks.flatMap((ask) => {
    const answer = ownValue(answers, ask.id);
    return answer === undefined || answer === '' ? [] : [{ ...ask, answer }];
  });
  const fill = (where: AskPlace, key: string, value: unknown) =>
    typeof value === 'string'
      ? replaceAll(
          value,
          given.filter((ask) => isAt(ask, where, key)),
        )
      : value;
  const fillFields = (where: AskPlace, value: unknown) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, fill(where, key, text)]))
      : value;
  const fillPart = (part: string, value: unknown): unknown => {
    if (part === 'env') return fillFields('env', value);
    if (part === 'headers') return fillFields('header', value);
    if (part === 'args')
      return Array.isArray(value) ? value.map((text, index) => fill('args', String(index), text)) : value;
    return part === 'command' || part === 'cwd' || part === 'url' ? fill(part, part, value) : value;
  };
  return Object.fromEntries(Object.entries(entry).map(([part, value]) => [part, fillPart(part, value)]));
}

const isAt = (ask: Ask, where: AskPlace, key: string): boolean =>
  ask.placeholder.startsWith('${') || (ask.where === where && ask.key === key);

interface Replacement {
  readonly placeholder: string;
  readonly answer: string;
}

/** Inserts all answers in one pass, so that a placeholder in an answer stays unchanged. */
function replaceAll(text: string, replacements: readonly Replacement[]): string {
  if (text === '') return replacements.find(({ placeholder }) => placeholder === '')?.answer ?? '';
  let filled = '';
  for (let at = 0; at < text.length;) {
    const found = replacements.find(
      ({ placeholder }) => placeholder !== '' && text.startsWith(placeholder, at),
    );
    filled += found?.answer ?? text.charAt(at);
    at += found?.placeholder.length ?? 1;
  }
  return filled;
}
