import { fileURLToPath } from 'node:url';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import { startNode } from '../../fixtures/gateways/start-node.ts';
import { closeCallers, connectCallers, echoCall, runLoad } from './load.ts';
import type { OwnTarget } from './targets.ts';

const CALLS = 500;
const READY_MS = 30_000;

/** One client's calls on one server, before and while another client's server sends 100,000 notifications a second. */
export async function measureFlood(target: OwnTarget) {
  const callers = await connectCallers(target, 'sdk', 1);
  const measure = () => runLoad(target, callers, CALLS, echoCall(target));
  await measure();
  const quiet = await measure();
  const program = fileURLToPath(new URL('./flood-client.ts', import.meta.url));
  const other = startNode([program, target.flood.url, target.flood.token ?? '']);
  try {
    const isFlooded = () => other.output().includes('flooded');
    await waitUntil(isFlooded, { deadlineMs: READY_MS, describe: `the flood; ${other.output()}` });
    const flooded = await measure();
    return {
      quietP99Ms: quiet.p99Ms,
      floodedP99Ms: flooded.p99Ms,
      failures: quiet.failures + flooded.failures,
    };
  } finally {
    await other.end();
    await closeCallers(callers);
  }
}
