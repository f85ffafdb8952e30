import type { ErrorReport } from '../../shared/error-codes.ts';

/** An error as it goes to the clipboard: everything a report to someone else needs. */
export function errorAsText(error: ErrorReport, server?: string): string {
  const subject = server === undefined ? '' : `${server}: `;
  const lines = [`${subject}${error.message}`, `Code: ${error.code}`];
  if (error.remedy !== undefined) lines.push(`What to do: ${error.remedy}`);
  if (error.causeLines !== undefined) lines.push('From stderr:', ...error.causeLines);
  return lines.join('\n');
}

/** A message for one line: where a command was looked for is told with the details. */
export const withoutSearchPath = (message: string): string => message.replace(/ PATH tried: [^]*$/, '');
