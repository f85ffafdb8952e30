import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Adds a context to the settings of a docker client. @param files that belong to its TLS */
export function addContext(
  folder: string,
  name: string,
  docker: object,
  files: Readonly<Record<string, string>> = {},
): void {
  const hash = createHash('sha256').update(name).digest('hex');
  const meta = join(folder, 'contexts/meta', hash);
  const tls = join(folder, 'contexts/tls', hash, 'docker');
  for (const one of [meta, tls]) mkdirSync(one, { recursive: true });
  writeFileSync(join(meta, 'meta.json'), JSON.stringify({ Name: name, Endpoints: { docker } }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(tls, file), text);
}
