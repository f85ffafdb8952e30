import { z } from 'zod';
import { serverNameSchema } from '../server-config.ts';

/**
 * Treatment of the texts of a result by the page. `readable`: made display-safe, with bidi controls replaced by their code.
 * `raw`: unchanged, because the text is edited, sent back or made display-safe later. `json`: unchanged, and the result crosses
 * to the page as JSON text, in one piece, because each value of an object is copied by itself; `readableApi` reads it.
 */
export type Texts = 'readable' | 'raw' | 'json';

/** Function of `window.controlPanel`: its arguments, its result, and the method that executes it. */
export interface Call<
  Method extends string = string,
  Args extends z.ZodTuple = z.ZodTuple,
  Result extends z.ZodType = z.ZodType,
  ResultTexts extends Texts = Texts,
> {
  /** Method of the topic's object in the main process. */
  readonly method: Method;
  readonly args: Args;
  readonly result: Result;
  readonly texts: ResultTexts;
}

/** Result of a call that returns nothing. */
export const nothing = z.undefined();

/** Declares a call. By default it returns nothing, and its texts are readable. */
export function call<
  const Method extends string,
  Args extends z.ZodTuple,
  Result extends z.ZodType = typeof nothing,
  const ResultTexts extends Texts = 'readable',
>(
  declared: Pick<Call<Method, Args>, 'method' | 'args'> & {
    readonly result?: Result;
    readonly texts?: ResultTexts;
  },
): Call<Method, Args, Result, ResultTexts> {
  const filled: Call = { result: nothing, texts: 'readable', ...declared };
  // Omitted fields have the types of their defaults, which the compiler cannot follow through the spread.
  return filled as Call<Method, Args, Result, ResultTexts>;
}

/** Methods that answer the calls of a topic, one for each. A result may be read-only, because it is copied on its way. */
export type CallAnswers<Calls extends Readonly<Record<string, Call>>> = {
  readonly [N in keyof Calls as Calls[N]['method']]: (
    ...args: z.output<Calls[N]['args']>
  ) => Answer<z.output<Calls[N]['result']>>;
};

type Answer<Result> = [Result] extends [undefined]
  ? void | Promise<void>
  : ReadOnly<Result> | Promise<ReadOnly<Result>>;

/** Type with all properties read-only, at any depth. */
type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadOnly<T[K]> }
    : T;

/** Name of an existing server. A name that no server can have is treated as an unknown one. */
export const knownNameSchema = z.string().max(200);

/** Arguments of a call that takes only a server. */
export const named = z.tuple([knownNameSchema]);

const withName = z.looseObject({ name: serverNameSchema });

/**
 * Entry with its name, passed through without a copy, because zod's copy would lack a key "__proto__". The entry is checked
 * again, with the paths of wrong fields, where it is written or tried.
 */
export const namedEntrySchema = z.custom<z.output<typeof withName>>().superRefine((entry, context) => {
  const { error } = withName.safeParse(entry);
  context.issues.push(...((error?.issues ?? []) as z.core.$ZodRawIssue[]));
});
