import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readRegularFile, UnusableFileError } from '../../files/regular-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';

/**
 * Maximum bytes of a ledger (the file in which a panel lists its servers' processes). It is a hundred times what a hundred
 * servers with many processes need.
 */
const MAX_LEDGER_BYTES = 4 * 1024 * 1024;
const MAX_DAMAGE_CHARACTERS = 1000;

/** Pid from the file. At least 2, because kill(2) takes 0, 1 and negative numbers as groups or the whole system. */
const pid = z.number().int().min(2);
const identitySchema = z.object({ pid, startTime: z.string().min(1) });

const runSchema = z.object({
  server: z.string(),
  generation: z.number().int(),
  /** Marker of the run, which is in the environment of each of its processes. */
  marker: z.string().min(1),
  /** Process group, by its leader. `startTime` is undefined if the leader's start time was not known yet. */
  group: z.object({ pid, startTime: z.string().min(1).optional() }).optional(),
  members: z.array(identitySchema),
});

const ledgerSchema = z.object({
  version: z.literal(1),
  /** Boot of the operating system in which these pids are valid. */
  bootId: z.string(),
  /** Panel that wrote the file. While it is alive, other panels leave its runs alone. */
  owner: identitySchema,
  runs: z.array(runSchema),
});

export type LedgerRun = z.infer<typeof runSchema>;
export type Ledger = z.infer<typeof ledgerSchema>;

/** Ledger of an earlier panel process, or the reason why it cannot be read. */
type FoundLedger =
  { readonly path: string; readonly ledger: Ledger } | { readonly path: string; readonly damage: string };

/** Path of the ledger. It contains the owner's pid, so that two panels never write to the same file. */
export function ledgerPath(folder: string, ownerPid: number, fileId: string): string {
  return join(folder, `${ownerPid}-${fileId}.json`);
}

/** Replaces the file atomically. A crash of the system may lose it, but also ends the recorded processes. */
export async function writeLedger(path: string, folder: string, ledger: Ledger): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeAtomically(path, JSON.stringify(ledger), { afterPowerCut: 'nothing' });
}

/** Returns every ledger in `folder`, including damaged ones; an empty array if the folder does not exist. */
export async function findLedgers(folder: string): Promise<readonly FoundLedger[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter((name) => /^\d+-[^/]+\.json$/.test(name)).map((name) => join(folder, name));
  const found: FoundLedger[] = [];
  // Ledgers are read one after the other, because their number and sizes are unknown.
  for (const path of paths.sort()) found.push(await readLedger(path));
  return found;
}

/** Returns temporary files of panels that were killed while writing, with the pid of each panel. */
export async function findUnfinished(folder: string): Promise<readonly { path: string; ownerPid: number }[]> {
  const names = await readdir(folder).catch(() => []);
  const unfinished = names.filter((name) => /^\d+-[^/]+\.json\.tmp$/.test(name));
  return unfinished.map((name) => ({ path: join(folder, name), ownerPid: Number.parseInt(name, 10) }));
}

export async function removeLedger(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Renames a damaged ledger, so that it is kept for inspection. Returns the new path. */
export async function setLedgerAside(path: string): Promise<string> {
  const aside = `${path}.broken`;
  await rename(path, aside);
  return aside;
}

async function readLedger(path: string): Promise<FoundLedger> {
  try {
    return {
      path,
      ledger: ledgerSchema.parse(JSON.parse(String(await readRegularFile(path, MAX_LEDGER_BYTES)))),
    };
  } catch (error) {
    return { path, damage: describeDamage(error) };
  }
}

function describeDamage(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error).slice(0, MAX_DAMAGE_CHARACTERS);
  return error instanceof UnusableFileError ? error.message : String(error);
}
