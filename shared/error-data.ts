import { cutText } from './cut-text.ts';

/** Short form of an error message, shown after the name of its server. */
export interface ShortWords {
  /** Message without its subject and full stop: "was ended by SIGKILL". */
  readonly phrase: string;
  /** Cause alone, without how the process ended (such as by a signal), if that is shorter. */
  readonly brief?: string | undefined;
  /** Set if the message says more than the phrase, such as where a command was searched for. */
  readonly hasMore?: true | undefined;
}

/** Data of an error that programs read instead of its message. Texts have at most 2048 UTF-16 code units. */
export interface ErrorData {
  /** The `phrase` of `ShortWords`. Its `brief` and `hasMore` are also fields here. */
  readonly phrase?: string | undefined;
  readonly brief?: string | undefined;
  readonly hasMore?: true | undefined;
  /** Refused field of an entry, as its path inside the entry: `panel.limits.maxMemoryMiB`, or `name`. */
  readonly field?: string | undefined;
  /** What is wrong with the refused field: "expected at least 1, found 0". */
  readonly statement?: string | undefined;
  /** Wrong part of the entry, as written in the entry: the command, or the working folder. */
  readonly wrong?: string | undefined;
  /** Command that the user probably meant instead of the one that was not found. */
  readonly suggestion?: string | undefined;
  /** Port that is not available. */
  readonly port?: number | undefined;
  /** Port that was free when checked. */
  readonly freePort?: number | undefined;
}

const MAX_TEXT_LENGTH = 2048;
const texts = ['phrase', 'brief', 'field', 'statement', 'wrong', 'suggestion'] as const;
const numbers = ['port', 'freePort'] as const;

/** Returns the parts of `data` that reports include, shortened to their limits, and drops all others. Undefined if none. */
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
