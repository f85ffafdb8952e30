import { pipeline } from 'node:stream';
import type { Spawner } from './spawner.ts';
import { readableText } from './windows/readable-text.ts';
import type { CodePages } from './windows/text-decoding.ts';

/** Makes the stderr of children arrive as UTF-8. Programs started by a batch file write in the code page of cmd.exe. */
export function readableSpawner(spawn: Spawner, codePages: () => Promise<CodePages>): Spawner {
  return async (request) => {
    const child = await spawn(request);
    const isBatch =
      request.found !== undefined && 'file' in request.found && /\.(?:cmd|bat)$/i.test(request.found.file);
    const text = readableText(async () => (await codePages())[isBatch ? 'console' : 'ansi']);
    // The reader of the text sees a broken pipe as its end.
    pipeline(child.stderr, text, () => undefined);
    return { ...child, stderr: text };
  };
}
