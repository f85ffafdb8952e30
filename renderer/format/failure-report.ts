import { messageOf } from '../../shared/message-of.ts';

/** Most characters that the main process accepts. */
const LONGEST = 20_000;

interface FailureReport {
  /** Part of the window that could not be shown: "the view Usage". */
  readonly subject: string;
  readonly error: unknown;
  readonly componentStack: string;
  readonly appVersion: string;
  /** Operating system, by the browser's name for it. */
  readonly platform: string;
}

/** Text for a bug report about the window itself; the main process must redact it, as an error's message may hold secrets. */
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
