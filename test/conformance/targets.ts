import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../fixtures/fixture-server.ts';
import { untilServing } from '../fixtures/gateways/connect-client.ts';
import type { FetchedPackages } from '../fixtures/gateways/npm-packages.ts';
import { otherGateway, type OtherGateway } from '../fixtures/gateways/other-gateways.ts';
import { startNode } from '../fixtures/gateways/start-node.ts';
import { startOwnGateway } from '../fixtures/gateways/own-gateway.ts';
import { openBearerProxy } from './bearer-proxy.ts';

const READY_MS = 20_000;
const TOOL = 'test_simple_text';
const SERVER = 'conformance';
const fixture = (file: string) => fileURLToPath(new URL(`../fixtures/conformance/${file}`, import.meta.url));
const STDIO = { command: process.execPath, args: [fixture('stdio.ts')] };

type UseUrl<T> = (url: string) => Promise<T>;

/** The fixture as the SDK serves it. */
export async function withDirect<T>(use: UseUrl<T>): Promise<T> {
  const server = startNode([fixture('http.ts')]);
  try {
    const address = () => /listening on (\S+)/.exec(server.output())?.[1];
    return await use((await waitUntil(address, { deadlineMs: READY_MS, describe: 'the fixture' })) as string);
  } finally {
    await server.end();
  }
}

/** The fixture through our gateway, with a token that a proxy adds. */
export async function withOurs<T>(use: UseUrl<T>): Promise<T> {
  const gateway = await startOwnGateway({ [SERVER]: STDIO });
  try {
    const url = gateway.urlOf(SERVER);
    await untilServing({ url, token: gateway.token }, TOOL);
    const proxy = await openBearerProxy(url, gateway.token);
    try {
      return await use(proxy.url);
    } finally {
      await proxy.close();
    }
  } finally {
    await gateway.dispose();
  }
}

/** The fixture through the gateway of others. */
export async function withOther<T>(
  name: OtherGateway,
  packages: FetchedPackages,
  use: UseUrl<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'other-gateway-'));
  const { args, url } = await otherGateway(name, packages, STDIO, folder);
  const gateway = startNode(args);
  try {
    await untilServing({ url }, TOOL);
    return await use(url);
  } finally {
    await gateway.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
