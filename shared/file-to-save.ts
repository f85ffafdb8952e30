import { z } from 'zod';

/** Longest content of a file that the page hands over, in characters. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** A file that a person wants to keep, wherever they say. */
export const fileToSaveSchema = z.object({
  /** Suggestion for its name, without a folder, in letters that every system lets a name have. */
  name: z
    .string()
    .regex(/^[^\p{Cc}/\\:*?"<>|]{1,120}\.[a-z0-9]{1,8}$/u, 'must be a name with an ending, without a folder'),
  content: z.string().max(MAX_CHARACTERS),
  /** What `content` is: the text itself, written as UTF-8, or bytes. */
  encoding: z.enum(['utf8', 'base64']),
});
export type FileToSave = z.infer<typeof fileToSaveSchema>;
