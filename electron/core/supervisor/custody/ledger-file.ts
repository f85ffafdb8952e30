import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readRegularFile, UnusableFileError } from '../../files/regular-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';

/** A hundred times what a hundred servers of many processes need. */
const MAX_LEDGER_BYTES = 4 * 1024 * 1024;
const MAX_DAMAGE_CHARACTERS = 1000;

/** 0 and 1 and negative numbers mean groups and systems to kill(2), and must never get there from a file. */
const pid = z.number().int().min(2);
const identitySchema = z.object({ pid, startTime: z.string().min(1) });

const runSchema = z.object({
  server: z.string(),
  generation: z.number().int(),
  /** Marker of the run; it is in the environment of each of its processes. */
  marker: z.string().min(1),
  /** The process group, by its leader. The start time is absent where it was not known yet. */
  group: z.object({ pid, startTime: z.string().min(1).optional() }).optional(),
  members: z.array(identitySchema),
});

const ledgerSchema = z.object({
  version: z.literal(1),
  /** The run of the operating system in which these pids mean anything. */
  bootId: z.string(),
  /** The panel that wrote it. While it lives, the runs are its own business. */
  owner: identitySchema,
  runs: z.array(runSchema),
});

export type LedgerRun = z.infer<typeof runSchema>;
export type Ledger = z.infer<typeof ledgerSchema>;

/** A ledger that an earlier panel left, or why it cannot be read. */
export type FoundLedger =
  { readonly path: string; readonly ledger: Ledger } | { readonly path: string; readonly damage: string };

/** One file per owner: two panels never write into each other's. */
export function ledgerPath(folder: string, ownerPid: number, fileId: string): string {
  return join(folder, `${ownerPid}-${fileId}.json`);
}

/** Replaces the file in one step, readable by its owner alone. A crash of the system may lose it: nothing to reap then. */
export async function writeLedger(path: string, folder: string, ledger: Ledger): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeAtomically(path, JSON.stringify(ledger), { afterPowerCut: 'nothing' });
}

/** Every ledger in `folder`, also damaged ones; none when there is no such folder. */
export async function findLedgers(folder: string): Promise<readonly FoundLedger[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter((name) => /^\d+-[^/]+\.json$/.test(name)).map((name) => join(folder, name));
  const found: FoundLedger[] = [];
  // One after the other: nobody knows how many there are, nor how large.
  for (const path of paths.sort()) found.push(await readLedger(path));
  return found;
}

/** The beginnings of files that a panel was killed in the middle of writing, with the pid of that panel. */
export async function findUnfinished(folder: string): Promise<readonly { path: string; ownerPid: number }[]> {
  const names = await readdir(folder).catch(() => []);
  const unfinished = names.filter((name) => /^\d+-[^/]+\.json\.tmp$/.test(name));
  return unfinished.map((name) => ({ path: join(folder, name), ownerPid: Number.parseInt(name, 10) }));
}

export async function removeLedger(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Out of the way, for whoever wants to know. Returns the new path. */
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
