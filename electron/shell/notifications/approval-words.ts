import type { Approval } from '../../../shared/approvals.ts';
import type { NotificationText } from './notification-words.ts';

/** Text of the notification about a call that waits. */
export const approvalWords = ({ client, server, tool }: Approval): NotificationText => ({
  title: `${client} waits for your answer`,
  body: `It wants to call ${tool} of ${server}. Nothing runs before you answer.`,
});
