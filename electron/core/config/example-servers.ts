import { mkdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import examples from '../../../shared/example-servers.json' with { type: 'json' };
import { PanelError } from '../../../shared/error-codes.ts';
import { isJsonObject } from '../../../shared/json-object.ts';
import type { NamedEntry } from '../../../shared/ipc/topics/entries.ts';
import { errnoOf } from '../errno.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** Placeholder in the examples for the folder of their data. */
const DATA = '{data}';

/**
 * Returns the example servers whose names are not in use, with their data below `<home>/data`, and creates the files they use;
 * existing files stay unchanged.
 * @throws PanelError PERMISSION_DENIED if the files cannot be created
 */
export async function prepareExamples(
  home: string,
  takenNames: readonly string[],
): Promise<readonly NamedEntry[]> {
  const data = join(home, 'data');
  for (const [path, content] of Object.entries(examples.files)) await makeFile(join(data, path), content);
  return Object.entries(examples.mcpServers)
    .filter(([name]) => !takenNames.includes(name))
    .map(([name, entry]) => ({ ...(placed(entry, data) as object), name }));
}

/** Returns a copy of the value in which the placeholder at the beginning of any text is replaced by the data folder. */
function placed(value: unknown, data: string): unknown {
  if (typeof value === 'string')
    return value.startsWith(DATA) ? normalize(data + value.slice(DATA.length)) : value;
  if (Array.isArray(value)) return value.map((item) => placed(item, data));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, placed(item, data)]));
}

async function makeFile(path: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeAtomically(path, content, { isNew: true, afterPowerCut: 'nothing' });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return;
    throw new PanelError(
      'PERMISSION_DENIED',
      `The file ${path} of the examples cannot be written: ${errnoOf(error) ?? String(error)}.`,
      { cause: error },
    );
  }
}
