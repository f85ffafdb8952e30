import type { ErrorReport } from '../../shared/error-codes.ts';

/** Behind a name, or before a middle dot, no sentence ends. */
export const withoutFullStop = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text);

/** An error as it goes to the clipboard: everything a report to someone else needs. */
export function errorAsText(error: ErrorReport, server?: string): string {
  const subject = server === undefined ? '' : `${server}: `;
  const lines = [`${subject}${error.message}`, `Code: ${error.code}`];
  if (error.remedy !== undefined) lines.push(`What to do: ${error.remedy}`);
  if (error.causeLines !== undefined) lines.push('From stderr:', ...error.causeLines);
  return lines.join('\n');
}
