import { z } from 'zod';

/**
 * What the system is expected to do at the next login:
 * - `on`, `off`: the system starts the panel, or has no entry for the panel;
 * - `switched-off`: the system has an entry, which the user disabled in the system's list;
 * - `needs-approval`: macOS starts the panel once the user has allowed it;
 * - `unknown`: the app runs from source and is never started.
 */
const loginStateSchema = z.enum(['on', 'off', 'switched-off', 'needs-approval', 'unknown']);
export type LoginState = z.infer<typeof loginStateSchema>;

/** What the system currently allows the app to do. */
export const systemStateSchema = z.object({
  startAtLogin: loginStateSchema,
  /**
   * Reason why notifications do not appear, as worded by the system; `null` if the desktop has no notification service.
   * Undefined if notifications appear, as far as is known.
   */
  notificationProblem: z.string().nullable().optional(),
});
export type SystemState = z.infer<typeof systemStateSchema>;
