import { comparable, matcherOf, programsNamed } from '../config/moving/copies/running-copies.ts';
import { ProcessForest } from '../platform/process-forest.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import type { FoundTree, ScanForLeft } from './left-behind.ts';
import type { RunCommand } from '../platform/run-command.ts';
import type { Signaller } from '../platform/signals.ts';
import { createLinuxScan, type KnownServers } from './linux-scan.ts';

/**
 * Creates the function that scans for servers left behind on macOS and Windows, where the panel cannot see who has the other
 * ends of a server's streams. A scan finds processes that match a client's server entry and whose parent has ended. They may
 * still be in use, because a wrapper may have ended instead of the client, so none of them counts as certain.
 */
export function createParentScan({
  table,
  ownPid,
  clients,
  servers,
}: Pick<ScanOptions, 'ownPid' | 'table'> & KnownServers): ScanForLeft {
  return async () => {
    const started = await servers();
    const all = started.length === 0 ? [] : ((await table.readAll?.()) ?? []);
    const details = await table.describe?.(all);
    const forest = new ProcessForest(
      all.map((reading) => comparable({ ...reading, ...details?.get(reading.pid) })),
    );
    const matches = matcherOf(started);
    const own = new Set([ownPid, ...forest.above(ownPid).map(({ pid }) => pid)]);
    return forest.all().flatMap((root): FoundTree[] => {
      // Parent 0 means that the parent has ended; on Windows its pid may belong to another process by now. On macOS, launchd
      // (pid 1) becomes the parent of orphans.
      if (root.ppid > 1 || own.has(root.pid)) return [];
      const owners = matches(root);
      const tree = forest.tree(root.pid);
      if (owners.length === 0 || tree.some((row) => programsNamed(row, clients).length > 0)) return [];
      const [owner] = owners;
      const isOnly = owners.every(({ program }) => program === owner?.program);
      return [
        {
          ...{ tree, listens: false, daemons: [], isCertain: false },
          ...(isOnly && owner && { client: owner.program, server: owner.name }),
        },
      ];
    });
  };
}

export type CreateScan = (known: KnownServers) => ScanForLeft;

interface ScanOptions {
  readonly platform: NodeJS.Platform;
  readonly table: Pick<ProcessTable, 'describe' | 'readAll'>;
  readonly ownPid: number;
  readonly run: RunCommand;
  readonly signaller: Pick<Signaller, 'signalProcess'>;
}

export function scanForPlatform({ platform, table, ownPid, run, signaller }: ScanOptions): CreateScan {
  if (platform !== 'linux') return (known) => createParentScan({ table, ownPid, ...known });
  return (known) => createLinuxScan({ ownPid, run, signaller, ...known });
}
