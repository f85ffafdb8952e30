import { z } from 'zod';

/** Maximum characters of a file from the page. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** File to be saved at a location that the user chooses. */
export const fileToSaveSchema = z.object({
  /** Suggested name, without a folder, in characters that every system allows. */
  name: z
    .string()
    .regex(/^[^\p{Cc}/\\:*?"<>|]{1,120}\.[a-z0-9]{1,8}$/u, 'must be a name with an ending, without a folder'),
  content: z.string().max(MAX_CHARACTERS),
  /** Encoding of `content`: `utf8` for text, which is written as UTF-8, or `base64` for bytes. */
  encoding: z.enum(['utf8', 'base64']),
});
export type FileToSave = z.infer<typeof fileToSaveSchema>;
