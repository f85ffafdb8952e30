import { PanelError } from '../../../shared/error-codes.ts';
import { errorDataIn, mapErrorData, type ErrorData } from '../../../shared/error-data.ts';
import type { CallHandlers } from '../../../shared/ipc-contract.ts';

/**
 * Wraps the handlers so that their errors are redacted: a server's error text reaches the page as it reaches events and the
 * terminal. Results stay as they are, because the user asked for them. @param redact called for each rejection
 */
export function redactRejections(
  handlers: CallHandlers,
  redact: (text: string) => Promise<string>,
): CallHandlers {
  const redacting =
    (handler: (...args: readonly unknown[]) => Promise<unknown>) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await handler(...args);
      } catch (error) {
        throw error instanceof PanelError ? await redactError(error, redact) : error;
      }
    };
  // Names and types stay the same, which the compiler cannot infer from a mapped object.
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, redacting(handler as never)]),
  ) as unknown as CallHandlers;
}

async function redactError(
  error: PanelError,
  redact: (text: string) => Promise<string>,
): Promise<PanelError> {
  const { code, message, remedy, data, short, cause } = error;
  return new PanelError(code, await redact(message), {
    remedy: await redact(remedy),
    ...(data !== undefined && { data: await redactReported(data, redact) }),
    ...(short && { short: await redactTexts(short, redact) }),
    cause,
  });
}

/** Redacts the part of the data that a report sends to the page; all other data never leaves this process. */
async function redactReported(
  data: NonNullable<PanelError['data']>,
  redact: (text: string) => Promise<string>,
): Promise<NonNullable<PanelError['data']>> {
  const { causeLines } = data;
  return {
    ...data,
    ...(await redactTexts(errorDataIn(data) ?? {}, redact)),
    ...(Array.isArray(causeLines) && { causeLines: await Promise.all(causeLines.map(String).map(redact)) }),
  };
}

async function redactTexts<D extends ErrorData>(
  data: D,
  redact: (text: string) => Promise<string>,
): Promise<D> {
  const redacted = new Map<string, string>();
  for (const text of Object.values(data as Readonly<Record<string, unknown>>))
    if (typeof text === 'string') redacted.set(text, await redact(text));
  return mapErrorData(data, (text) => redacted.get(text) ?? '');
}
