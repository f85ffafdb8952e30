import { PanelError } from '../../../shared/error-codes.ts';
import { errorDataIn, mapErrorData, type ErrorData } from '../../../shared/error-data.ts';

export type RedactText = (text: string) => Promise<string>;

/** Redacts the rejection of a handler: a server's error text reaches the page as it reaches events and the terminal. */
export async function redactRejection(error: unknown, redact: RedactText): Promise<unknown> {
  if (!(error instanceof PanelError)) return error;
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
