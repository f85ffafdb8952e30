import { cutText } from './cut-text.ts';

/** What the message of an error says, in less room: to stand behind the name of the server that it is about. */
export interface ShortWords {
  /** The message without subject and full stop: "was ended by SIGKILL". */
  readonly phrase: string;
  /** The cause without how it ended, where that is shorter. */
  readonly brief?: string | undefined;
  /** The message tells more than the phrase, such as where a command was looked for. */
  readonly hasMore?: true | undefined;
}

/** What programs read of an error, in place of its message. The texts are at most 2048 UTF-16 code units long. */
export interface ErrorData {
  /** This field and the next two are those of `ShortWords`. */
  readonly phrase?: string | undefined;
  readonly brief?: string | undefined;
  readonly hasMore?: true | undefined;
  /** The field of a refused entry, as its path inside the entry: `panel.limits.maxMemoryMiB`, or `name`. */
  readonly field?: string | undefined;
  /** What is wrong with that field: "expected at least 1, found 0". */
  readonly statement?: string | undefined;
  /** The part of the entry that is wrong, as it stands there: the command, or the working folder. */
  readonly wrong?: string | undefined;
  /** The command that was probably meant by one that is not there. */
  readonly suggestion?: string | undefined;
  /** The port that cannot be listened on. */
  readonly port?: number | undefined;
  /** A port that could be listened on when it was looked for. */
  readonly freePort?: number | undefined;
}

const MAX_TEXT_LENGTH = 2048;
const texts = ['phrase', 'brief', 'field', 'statement', 'wrong', 'suggestion'] as const;
const numbers = ['port', 'freePort'] as const;

/** The parts of `data` that reports carry, cut to their bounds. Undefined where there is none; whatever else is there stays behind. */
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

/** The same with every text changed, for whoever takes secrets out. */
export function mapErrorData<D extends ErrorData>(data: D, change: (text: string) => string): D {
  const changed = texts.flatMap((name) => {
    const text = data[name];
    return text === undefined ? [] : [[name, change(text)]];
  });
  return { ...data, ...(Object.fromEntries(changed) as Partial<D>) };
}
