import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Servers = Readonly<Record<string, unknown>>;

/** A new folder for as long as `use` takes. @param prefix of its name */
export async function inFolder<T>(use: (folder: string) => Promise<T>, prefix = 'test-'): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a home for the panel with these servers and settings. Returns it. */
export function writeHome(home: string, servers: Servers, settings?: object): string {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: servers }));
  if (settings !== undefined) writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  return home;
}

/** As many servers, named by their number. */
export const numbered = (count: number, prefix: string, serverOf: (index: number) => object): Servers =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}-${index}`, serverOf(index)]));
