import { messageOf } from '../../shared/message-of.ts';

/** As much as the main process takes. */
const LONGEST = 20_000;

interface FailureReport {
  /** What could not be shown: "the view Usage". */
  readonly subject: string;
  readonly error: unknown;
  readonly componentStack: string;
  readonly appVersion: string;
  /** System as the browser names it. */
  readonly platform: string;
}

/** Text for a bug report about the window itself. Secrets may stand in the words of the error. */
export function failureReport({
  subject,
  error,
  componentStack,
  appVersion,
  platform,
}: FailureReport): string {
  const lines = [
    `MCP Control Panel ${appVersion} could not show ${subject}.`,
    platform,
    '',
    messageOf(error),
    ...componentStack.split('\n').filter((line) => line.trim() !== ''),
  ];
  return lines.join('\n').slice(0, LONGEST);
}
