import type { ControlPanelApi } from '../shared/ipc-contract.ts';
import { errorCodes, type ErrorReport } from '../shared/error-codes.ts';
import { errorDataIn } from '../shared/error-data.ts';

declare global {
  interface Window {
    /** API that the preload script exposes to the page. */
    readonly controlPanel: ControlPanelApi;
  }
}

/** Converts any rejection to a report with a message to show. Rejections from the preload API are plain objects, not errors. */
export function toReport(reason: unknown): ErrorReport {
  if (typeof reason !== 'object' || reason === null) {
    return { code: 'PROTOCOL_ERROR', message: String(reason) };
  }
  const fields = reason as { readonly [K in keyof ErrorReport]?: unknown };
  const code =
    typeof fields.code === 'string' && Object.hasOwn(errorCodes, fields.code)
      ? fields.code
      : 'PROTOCOL_ERROR';
  const data = errorDataIn(fields.data);
  return {
    code: code as ErrorReport['code'],
    message:
      typeof fields.message === 'string' && fields.message !== '' ? fields.message : 'No message was given.',
    ...(typeof fields.remedy === 'string' && { remedy: fields.remedy }),
    ...(isTexts(fields.causeLines) && { causeLines: fields.causeLines }),
    ...(data && { data }),
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
