import { z } from 'zod';
import { serverNameSchema } from '../server-config.ts';

/** Function of `window.controlPanel`: its arguments, its result, and the method that answers it. */
export interface Call<
  Method extends string = string,
  Args extends z.ZodTuple = z.ZodTuple,
  Result extends z.ZodType = z.ZodType,
> {
  /** Name of the method that answers the call, on the topic's object in the main process. */
  readonly method: Method;
  readonly args: Args;
  readonly result: Result;
}

/** Result of a call that returns nothing. */
export const nothing = z.undefined();

/** Declares a call. By default the call takes and returns nothing. */
export function call<
  const Method extends string,
  const Args extends readonly z.ZodType[] = readonly [],
  Result extends z.ZodType = typeof nothing,
>(declared: {
  readonly method: Method;
  readonly args?: Args;
  readonly result?: Result;
}): Call<Method, z.ZodTuple<Args, null>, Result> {
  const { method, args = [], result = nothing } = declared;
  // The cast is necessary because the compiler cannot derive that an omitted field has the type of its default.
  return { method, args: z.tuple(args as []), result } as unknown as Call<
    Method,
    z.ZodTuple<Args, null>,
    Result
  >;
}

/** Methods that answer a topic's calls, one each. A result may be read-only, because it is copied on its way to the page. */
export type CallAnswers<Calls extends Readonly<Record<string, Call>>> = {
  readonly [N in keyof Calls as Calls[N]['method']]: (
    ...args: z.output<Calls[N]['args']>
  ) => Answer<z.output<Calls[N]['result']>>;
};

type Answer<Result> = [Result] extends [undefined]
  ? void | Promise<void>
  : ReadOnly<Result> | Promise<ReadOnly<Result>>;

/** `T` with all properties read-only, at any depth. */
type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadOnly<T[K]> }
    : T;

/** Name of an existing server. A name that no server can have is treated like the name of an unknown server. */
export const knownNameSchema = z.string().max(200);

/** Arguments of a call that takes only the name of a server. */
export const named = [knownNameSchema] as const;

const withName = z.looseObject({ name: serverNameSchema });

/**
 * Entry with its name, passed through without a copy, because zod's copy would lack a key "__proto__". The code that writes or
 * tries the entry checks it again and reports the paths of wrong fields.
 */
export const namedEntrySchema = z.custom<z.output<typeof withName>>().superRefine((entry, context) => {
  const { error } = withName.safeParse(entry);
  context.issues.push(...((error?.issues ?? []) as z.core.$ZodRawIssue[]));
});
