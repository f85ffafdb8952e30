import { z } from 'zod';

/** News from the app around the panel to the page. */
export const shellNewsSchema = z.object({
  /**
   * - `quit-asked`: a quit was requested while calls are in flight; `getQuitQuestion` returns them.
   * - `minimised`: closing minimised the window, because nothing could show a hidden one again.
   */
  kind: z.enum(['quit-asked', 'minimised']),
});
export type ShellNews = z.infer<typeof shellNewsSchema>;
