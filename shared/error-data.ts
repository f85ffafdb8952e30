import { cutText } from './cut-text.ts';

/** Short form of an error message, to stand behind the name of its server. */
export interface ShortWords {
  /** Message without its subject and full stop: "was ended by SIGKILL". */
  readonly phrase: string;
  /** Cause of the end without the way the process ended, where the cause alone is shorter. */
  readonly brief?: string | undefined;
  /** Whether the message says more than the phrase, such as where a command was searched for. */
  readonly hasMore?: true | undefined;
}

/** Data of an error that programs read instead of its message. Texts have at most 2048 UTF-16 code units. */
export interface ErrorData {
  /** Phrase of `ShortWords`; `brief` and `hasMore` are fields of it as well. */
  readonly phrase?: string | undefined;
  readonly brief?: string | undefined;
  readonly hasMore?: true | undefined;
  /** Refused field of an entry, as its path inside the entry: `panel.limits.maxMemoryMiB`, or `name`. */
  readonly field?: string | undefined;
  /** Fault of the refused field: "expected at least 1, found 0". */
  readonly statement?: string | undefined;
  /** Wrong part of the entry, as written in the entry: the command, or the working folder. */
  readonly wrong?: string | undefined;
  /** Command that was probably meant by the command that was not found. */
  readonly suggestion?: string | undefined;
  /** Port that is not available. */
  readonly port?: number | undefined;
  /** Port that was free when checked. */
  readonly freePort?: number | undefined;
}

const MAX_TEXT_LENGTH = 2048;
const texts = ['phrase', 'brief', 'field', 'statement', 'wrong', 'suggestion'] as const;
const numbers = ['port', 'freePort'] as const;

/** Parts of `data` that reports carry, cut to their bounds; anything else is dropped. Undefined if there is none. */
export function errorDataIn(data: unknown): ErrorData | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const fields = data as Readonly<Record<keyof ErrorData, unknown>>;
  const found: [string, unknown][] = texts.flatMap((name) => {
    const text = fields[name];
    return typeof text === 'string' ? [[name, cutText(text, MAX_TEXT_LENGTH, 'middle').text]] : [];
  });
  for (const name of numbers) if (typeof fields[name] === 'number') found.push([name, fields[name]]);
  if (fields.hasMore === true) found.push(['hasMore', true]);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Returns the data with every text changed by `change`, such as by redaction. */
export function mapErrorData<D extends ErrorData>(data: D, change: (text: string) => string): D {
  const changed = texts.flatMap((name) => {
    const text = data[name];
    return text === undefined ? [] : [[name, change(text)]];
  });
  return { ...data, ...(Object.fromEntries(changed) as Partial<D>) };
}
