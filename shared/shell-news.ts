import { z } from 'zod';

/** Notice from the main process to the page about the app itself. */
export const shellNewsSchema = z.object({
  /**
   * - `quit-asked`: the user asked to quit while calls are in flight; `getQuitQuestion` returns these calls.
   * - `minimised`: closing the app window only minimised it, because without a tray the user could not show a hidden window
   * again.
   */
  kind: z.enum(['quit-asked', 'minimised']),
});
export type ShellNews = z.infer<typeof shellNewsSchema>;
