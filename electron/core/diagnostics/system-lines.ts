import type { PastState } from '../../../shared/history.ts';
import type { LoopLateness } from '../../../shared/panel-figures.ts';
import type { SystemFacts } from '../platform/system-facts.ts';

const GIBI = 1024 ** 3;
const HOUR_S = 3600;

export function versionLines(
  appVersion: string,
  { versions, system, kernel }: SystemFacts,
): readonly string[] {
  return [
    `MCP Control Panel ${appVersion}`,
    ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
    `${system} (${kernel})`,
  ];
}

export function systemLines(facts: SystemFacts): readonly string[] {
  const gibibytes = (bytes: number) => `${(bytes / GIBI).toFixed(1)} GiB`;
  return [
    `architecture: ${facts.architecture}`,
    `processor: ${facts.coreCount} × ${facts.processor}`,
    `memory: ${gibibytes(facts.memoryBytes)}, ${gibibytes(facts.freeMemoryBytes)} free`,
    `up for ${(facts.uptimeSeconds / HOUR_S).toFixed(1)} h`,
    ...(facts.displayServer === undefined ? [] : [`display server: ${facts.displayServer}`]),
  ];
}

/** Returns lines on the panel itself: the lateness of its main loop, and the storage of its history. */
export function panelLines(loop: LoopLateness | undefined, history: PastState): readonly string[] {
  const { keptIn, path, sizeBytes, oldestAt, problem } = history;
  return [
    loop === undefined
      ? 'main loop: not watched'
      : `main loop, last minute: late by ${loop.p50Ms.toFixed(1)} ms (median), ${loop.p99Ms.toFixed(1)} ms (p99), ${loop.maxMs.toFixed(1)} ms (most)`,
    `history: kept in ${keptIn}${path === undefined ? '' : ` ${path}`}${sizeBytes === undefined ? '' : `, ${sizeBytes} bytes`}`,
    ...(oldestAt === undefined ? [] : [`history since ${new Date(oldestAt).toISOString()}`]),
    ...(problem === undefined ? [] : [`history: ${problem}`]),
  ];
}
