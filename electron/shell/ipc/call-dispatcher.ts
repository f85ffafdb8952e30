import { PanelError, toErrorReport } from '../../../shared/error-codes.ts';
import type { CallHandlers, Reply } from '../../../shared/ipc-contract.ts';
import { calls, type CallName } from '../../../shared/ipc/topics.ts';
import { describeOddArgument } from '../../../shared/json-problem.ts';
import { describeArgumentProblem } from './argument-problem.ts';

/**
 * Executes one call: validates the arguments, runs the handler, validates the result. Never rejects; errors are in the reply.
 * `report` is called for faults of the app, not of the caller.
 */
export async function dispatchCall(
  name: CallName,
  handlers: CallHandlers,
  args: readonly unknown[],
  report: (line: string) => void,
): Promise<Reply<unknown>> {
  try {
    const parsed = parseArguments(name, args);
    // The contract ties arguments and handler together by name, which the compiler cannot infer from a union of names.
    const handler = handlers[name] as (...values: readonly unknown[]) => Promise<unknown>;
    return { ok: true, value: checkResult(name, await handler(...parsed)) };
  } catch (error) {
    if (!(error instanceof PanelError)) report(`${name} failed unexpectedly: ${describeFault(error)}`);
    return { ok: false, error: toErrorReport(error, 'PROTOCOL_ERROR') };
  }
}

/** Reply to a caller that is not the app's page, without any details. */
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
  throw new Error(
    `the result does not keep the contract at "${place}": ${parsed.error.issues[0]?.message ?? ''}`,
  );
}

const describeFault = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
