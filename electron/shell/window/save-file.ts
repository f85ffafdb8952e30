import type { FileToSave } from '../../../shared/file-to-save.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { FileWriteError } from '../../core/files/file-errors.ts';
import { writeAtomically } from '../../core/files/write-atomically.ts';

/** Rights of any file that a program saves; the umask takes from them what the person does not give others. */
const USUAL_MODE = 0o666;

/**
 * Writes a file where the person says.
 * @param askWhere asks for its path, with the suggested name; undefined where the person thought better of it
 * @returns the path, null where nothing was written
 * @throws PanelError `FILE_NOT_WRITTEN`, with whatever was there left as it was
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
