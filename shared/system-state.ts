import { z } from 'zod';

/**
 * Expected action of the system at the next login:
 * - `on`, `off`: it starts the panel, or has no entry for the panel;
 * - `switched-off`: it has an entry, which the user disabled in the system's list;
 * - `needs-approval`: macOS starts the panel once the user has allowed it;
 * - `unknown`: the app runs from source and is never started.
 */
const loginStateSchema = z.enum(['on', 'off', 'switched-off', 'needs-approval', 'unknown']);
export type LoginState = z.infer<typeof loginStateSchema>;

/** Current permissions of the system for the app. */
export const systemStateSchema = z.object({
  startAtLogin: loginStateSchema,
  /**
   * Reason why notifications do not appear, in the system's words; `null` where the desktop has no service for them.
   * Undefined while they appear, as far as is known.
   */
  notificationProblem: z.string().nullable().optional(),
});
export type SystemState = z.infer<typeof systemStateSchema>;
