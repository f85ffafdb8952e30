import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { saveFile } from '../../../electron/shell/window/save-file.ts';
import { fileToSaveSchema, type FileToSave } from '../../../shared/file-to-save.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: string;
beforeEach(() => (folder = tempFolder('save-file-')));

const aFile = (changes: Partial<FileToSave> = {}): FileToSave => ({
  name: 'figures.csv',
  content: 'time,°C\r\n',
  encoding: 'utf8',
  ...changes,
});
const inFolder = (name: string) => Promise.resolve(join(folder, name));

describe('saving a file', () => {
  it('writes text and bytes where the person says, under the suggested name or another', async () => {
    expect(await saveFile(aFile(), inFolder)).toBe(join(folder, 'figures.csv'));
    expect(readFileSync(join(folder, 'figures.csv'), 'utf8')).toBe('time,°C\r\n');
    const bytes = aFile({ name: 'a.png', content: 'iVBORw0KGgo=', encoding: 'base64' });
    await saveFile(bytes, () => inFolder('other.png'));
    expect(readFileSync(join(folder, 'other.png')).toString('hex')).toBe('89504e470d0a1a0a');
  });

  it('writes nothing where the person thinks better of it', async () => {
    expect(await saveFile(aFile(), () => Promise.resolve(undefined))).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says what was not written and leaves what is there, where the system refuses', async () => {
    mkdirSync(join(folder, 'figures.csv'));
    await expect(saveFile(aFile(), inFolder)).rejects.toMatchObject({
      code: 'FILE_NOT_WRITTEN',
      message: expect.stringContaining('figures.csv') as string,
    });
    expect(readdirSync(folder)).toEqual(['figures.csv']);
    expect(existsSync(join(folder, 'figures.csv'))).toBe(true);
  });

  it.each(['../a.csv', '/etc/a.csv', 'C:\\a.csv', 'a', '', 'a\u0000.csv', `${'a'.repeat(200)}.csv`])(
    'takes no name that is more than a name: %j',
    (name) => {
      expect(fileToSaveSchema.safeParse(aFile({ name })).success).toBe(false);
      expect(fileToSaveSchema.safeParse(aFile({ name: 'memory, last 7 d.csv' })).success).toBe(true);
    },
  );
});
