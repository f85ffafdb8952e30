import type { ErrorReport } from '../../shared/error-codes.ts';

/** Text without its full stop, for use before a middle dot or after a name. */
export const withoutFullStop = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);

/** Error as text for the clipboard: everything that a report to someone else needs. */
export function errorAsText(error: ErrorReport, server?: string): string {
  const subject = server === undefined ? '' : `${server}: `;
  const lines = [`${subject}${error.message}`, `Code: ${error.code}`];
  if (error.remedy !== undefined) lines.push(`What to do: ${error.remedy}`);
  if (error.causeLines !== undefined) lines.push('From stderr:', ...error.causeLines);
  return lines.join('\n');
}
