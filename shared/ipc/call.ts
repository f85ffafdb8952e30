import { z } from 'zod';

/**
 * What the page does with the texts of a result. `readable`: controls of the writing direction are shown by their number.
 * `raw`: letter by letter as it was sent, because it is edited, sent back or made readable by whoever shows it.
 */
export type Texts = 'readable' | 'raw';

/** One function of `window.controlPanel`: what it takes, what it gives, and what carries it out. */
export interface Call<
  Method extends string = string,
  Args extends z.ZodTuple = z.ZodTuple,
  Result extends z.ZodType = z.ZodType,
  ResultTexts extends Texts = Texts,
> {
  /** Carries it out: a method of the topic's object in the main process. */
  readonly method: Method;
  readonly args: Args;
  readonly result: Result;
  readonly texts: ResultTexts;
}

/** The result of a call that only does something. */
export const nothing = z.undefined();

/** Declares a call. It gives nothing unless `result` says what, and its texts are readable unless `texts` says `raw`. */
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
  // What is left out has the type of its default, which the compiler cannot follow through the spread.
  return filled as Call<Method, Args, Result, ResultTexts>;
}

/** What answers the calls of a topic: one method for each. A result may be read-only, because it is copied on its way. */
export type CallAnswers<Calls extends Readonly<Record<string, Call>>> = {
  readonly [N in keyof Calls as Calls[N]['method']]: (
    ...args: z.output<Calls[N]['args']>
  ) => Answer<z.output<Calls[N]['result']>>;
};

type Answer<Result> = [Result] extends [undefined]
  ? void | Promise<void>
  : ReadOnly<Result> | Promise<ReadOnly<Result>>;

/** Read-only at any depth. */
type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadOnly<T[K]> }
    : T;
