import type { ErrorReport } from '../../shared/error-codes.ts';

/** Returns the text without its full stop, for use before a middle dot or after a name. */
export const withoutFullStop = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);

/** Returns the error as text for the clipboard, with everything needed to report it to someone else. */
export function errorAsText(error: ErrorReport, server?: string): string {
  const subject = server === undefined ? '' : `${server}: `;
  const lines = [`${subject}${error.message}`, `Code: ${error.code}`];
  if (error.remedy !== undefined) lines.push(`What to do: ${error.remedy}`);
  if (error.causeLines !== undefined) lines.push('From stderr:', ...error.causeLines);
  return lines.join('\n');
}
