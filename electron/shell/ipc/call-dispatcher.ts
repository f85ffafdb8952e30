import { PanelError, toErrorReport } from '../../../shared/error-codes.ts';
import type { CallHandlers, Reply } from '../../../shared/ipc-contract.ts';
import { callTexts } from '../../../shared/ipc/names.ts';
import { calls, type CallName } from '../../../shared/ipc/topics.ts';
import { describeOddArgument } from '../../../shared/json-problem.ts';
import type { z } from 'zod';
import { ownValue } from '../../../shared/own-value.ts';
import { errorDataIn, mapErrorData, type ErrorData } from '../../../shared/error-data.ts';

export interface DispatchOptions {
  readonly handlers: CallHandlers;
  /** Redacts the text of an error. Results are not redacted, because the user asked for them. */
  readonly redact: RedactText;
  /** Prints one line to the terminal; called for errors of the app, not of the caller. */
  readonly report: (line: string) => void;
}

/** Validates a call's arguments, runs its handler, and validates the result. Never rejects; the reply contains any error. */
export async function dispatchCall(
  name: CallName,
  args: readonly unknown[],
  { handlers, redact, report }: DispatchOptions,
): Promise<Reply<unknown>> {
  try {
    const parsed = parseArguments(name, args);
    // The contract ties arguments and handler together by name, which the compiler cannot infer from a union of names.
    const handler = handlers[name] as (...values: readonly unknown[]) => Promise<unknown>;
    const answer = await handler(...parsed).catch(async (error: unknown) => {
      throw await redactRejection(error, redact);
    });
    const value = checkResult(name, answer);
    return { ok: true, value: callTexts[name] === 'json' ? JSON.stringify(value) : value };
  } catch (error) {
    if (!(error instanceof PanelError)) report(`${name} failed unexpectedly: ${describeFault(error)}`);
    return { ok: false, error: toErrorReport(error, 'PROTOCOL_ERROR') };
  }
}

/** Reply, without any details, to a caller that is not the app's page. */
export const refusal: Reply<never> = {
  ok: false,
  error: { code: 'PROTOCOL_ERROR', message: 'this page may not call the control panel' },
};

function parseArguments(name: CallName, args: readonly unknown[]): readonly unknown[] {
  const parsed = calls[name].args.safeParse(args);
  if (!parsed.success)
    throw new PanelError('CONFIG_INVALID', describeArgumentProblem(name, parsed.error, args));
  const oddity = describeOddArgument(name, args);
  if (oddity !== undefined) throw new PanelError('CONFIG_INVALID', oddity);
  return parsed.data;
}

function checkResult(name: CallName, result: unknown): unknown {
  const parsed = calls[name].result.safeParse(result);
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  throw new Error(`the result violates the contract at "${place}": ${parsed.error.issues[0]?.message ?? ''}`);
}

const describeFault = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const LONGEST_SHOWN_TEXT = 60;

/** Describes an invalid argument of a call: where it is, what was expected and what was found. */
function describeArgumentProblem(call: string, error: z.ZodError, args: readonly unknown[]): string {
  const issue = error.issues[0];
  if (issue === undefined) return `${call}: the arguments are refused`;
  return `${call}: ${placeOf(issue.path)}: ${expectation(issue)}, found ${describeValue(valueAt(args, issue.path))}`;
}

/** Path of an argument as text, for example `argument 1`, or `argument 1, name`. */
function placeOf(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path;
  if (first === undefined) return 'arguments';
  const argument = `argument ${Number(first) + 1}`;
  return rest.length === 0 ? argument : `${argument}, ${rest.map(String).join('.')}`;
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'too_big':
      return `expected at most ${String(issue.maximum)}`;
    case 'too_small':
      return `expected at least ${String(issue.minimum)}`;
    default:
      return issue.message;
  }
}

/** Returns the value at a path, reading only own fields so that no getter of a prototype runs. */
function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = ownValue(value, String(key));
  }
  return value;
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    return JSON.stringify(
      value.length > LONGEST_SHOWN_TEXT ? `${value.slice(0, LONGEST_SHOWN_TEXT)}…` : value,
    );
  }
  if (Array.isArray(value)) return `${value.length} values`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

type RedactText = (text: string) => Promise<string>;

/** Redacts a handler's error, so that a server's error text is the same in the page as in events and on the terminal. */
async function redactRejection(error: unknown, redact: RedactText): Promise<unknown> {
  if (!(error instanceof PanelError)) return error;
  const { code, message, remedy, data, short, cause } = error;
  return new PanelError(code, await redact(message), {
    remedy: await redact(remedy),
    ...(data !== undefined && { data: await redactReported(data, redact) }),
    ...(short && { short: await redactTexts(short, redact) }),
    cause,
  });
}

/** Redacts the part of the data that an error report sends to the page; all other data never leaves this process. */
async function redactReported(
  data: NonNullable<PanelError['data']>,
  redact: RedactText,
): Promise<NonNullable<PanelError['data']>> {
  const { causeLines } = data;
  return {
    ...data,
    ...(await redactTexts(errorDataIn(data) ?? {}, redact)),
    ...(Array.isArray(causeLines) && { causeLines: await Promise.all(causeLines.map(String).map(redact)) }),
  };
}

async function redactTexts<D extends ErrorData>(data: D, redact: RedactText): Promise<D> {
  const redacted = new Map<string, string>();
  for (const text of Object.values(data as Readonly<Record<string, unknown>>))
    if (typeof text === 'string') redacted.set(text, await redact(text));
  return mapErrorData(data, (text) => redacted.get(text) ?? '');
}
