import { createLiveBench, type LiveBench } from '../../core/supervisor/live-bench.ts';
import type { CommandLine } from '../../fixtures/fixture-server.ts';

/** A started server of its own for as long as `use` takes, with these settings of the panel. */
export async function withLive<T>(
  program: (pidFile: string) => CommandLine,
  panel: Record<string, unknown>,
  use: (bench: LiveBench) => Promise<T>,
): Promise<T> {
  const bench = createLiveBench(program, { panel });
  try {
    await bench.supervisor.start();
    return await use(bench);
  } finally {
    await bench.dispose();
  }
}

export const call = (bench: LiveBench, name: string, args: Record<string, unknown> = {}) =>
  bench.supervisor.connection!.request('tools/call', { name, arguments: args });
