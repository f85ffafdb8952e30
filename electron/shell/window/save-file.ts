import type { FileToSave } from '../../../shared/file-to-save.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { FileWriteError } from '../../core/files/file-errors.ts';
import { writeAtomically } from '../../core/files/write-atomically.ts';

/** Default mode of a saved file; the umask restricts it. */
const USUAL_MODE = 0o666;

/**
 * Writes a file to a path that the user chooses.
 * @param askWhere asks for the path, given the suggested name; undefined if cancelled
 * @returns the path; null if nothing was written
 * @throws PanelError `FILE_NOT_WRITTEN`; an existing file is then unchanged
 */
export async function saveFile(
  { name, content, encoding }: FileToSave,
  askWhere: (name: string) => Promise<string | undefined>,
): Promise<string | null> {
  const path = await askWhere(name);
  if (path === undefined) return null;
  try {
    await writeAtomically(path, Buffer.from(content, encoding), { mode: USUAL_MODE });
  } catch (error) {
    if (!(error instanceof FileWriteError)) throw error;
    const { message, remedy } = error;
    throw new PanelError('FILE_NOT_WRITTEN', message, { data: { path }, remedy, cause: error });
  }
  return path;
}
