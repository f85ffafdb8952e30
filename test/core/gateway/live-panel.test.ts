import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixtureServer, readStarts, waitUntil } from '../../fixtures/fixture-server.ts';
import { untilServing } from '../../fixtures/gateways/connect-client.ts';
import { startOwnGateway } from '../../fixtures/gateways/own-gateway.ts';
import { BusyClients } from './busy-clients.ts';
import { isAlive } from '../../support/proc.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CLIENTS = 10;
const SERVER = 'one';
/** Above the deadlines of its steps, so that one that is missed is named. */
const LIMIT_MS = 90_000;
const GONE = { deadlineMs: 15_000, describe: 'the servers of the dead panel have ended' };

describe('clients at work while the whole panel is killed', { timeout: LIMIT_MS }, () => {
  it('go on in the same session once it runs again, over one process of the server', async () => {
    const startLog = join(tempFolder('live-panel-'), 'starts');
    const gateway = await startOwnGateway({ [SERVER]: fixtureServer(`--start-log=${startLog}`) });
    onTestFinished(() => gateway.dispose());
    const endpoint = { url: gateway.urlOf(SERVER), token: gateway.token };
    await untilServing(endpoint, 'echo');
    const clients = await BusyClients.connect(CLIENTS, async () => endpoint);
    onTestFinished(() => clients.stop());
    await clients.untilEachAnswered(2);
    await gateway.kill();
    // The doorkeeper holds the next call of each client until then.
    gateway.startAgain();
    // A panel takes long to start on a machine that is busy with other tests.
    await untilServing(endpoint, 'echo');
    await clients.untilEachAnswered(3);
    expect(clients.faults()).toEqual([]);
    const [before, ...later] = readStarts(startLog);
    expect(later).toHaveLength(1);
    await waitUntil(() => !isAlive(before!), GONE);
    expect(isAlive(later[0]!)).toBe(true);
  });
});
