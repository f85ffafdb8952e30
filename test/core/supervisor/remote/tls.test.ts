import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PanelError } from '../../../../shared/error-codes.ts';
import type { TlsConfig } from '../../../../shared/server-config.ts';
import { GRACES, remoteConfig, runOf, STOPPED } from './remote-bench.ts';
import { sseBackend, streamableBackend, type Handler } from './test-server.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../fixtures/tls/${name}.pem`, import.meta.url));
let folder = '';

beforeEach(() => {
  folder = tempFolder('panel-tls-');
});

/** Serves the handler behind a certificate that nobody signed. */
async function serveSecurely(handler: Handler, host = '127.0.0.1'): Promise<number> {
  const options = { key: readFileSync(fixture('key')), cert: readFileSync(fixture('certificate')) };
  const server = createServer(options, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void handler(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function configOf(port: number, tls?: TlsConfig, transport: 'http' | 'sse' = 'http') {
  return remoteConfig(`https://127.0.0.1:${port}/mcp`, {}, { transport, ...(tls && { tls }) });
}

/** Outcome of a launch: the server's name, or the error. */
async function launchOf(config: ReturnType<typeof configOf>): Promise<string | PanelError> {
  const { run } = runOf(config);
  try {
    await run.launch();
    return run.connection?.serverInfo?.name ?? '';
  } catch (error) {
    return error as PanelError;
  } finally {
    await run.end(GRACES, STOPPED);
  }
}

describe('a remote server with a certificate of its own', () => {
  it.each([
    ['http', streamableBackend],
    ['sse', sseBackend],
  ] as const)(
    'is reached over %s with its authority in tls.caFile, or unchecked',
    async (transport, backend) => {
      const port = await serveSecurely(backend().handler);
      expect(await launchOf(configOf(port, { caFile: fixture('certificate') }, transport))).toBe(
        'test-server',
      );
      expect(await launchOf(configOf(port, { verify: false }, transport))).toBe('test-server');
      // Permission for one server holds for no other.
      expect(await launchOf(configOf(port, undefined, transport))).toMatchObject({ code: 'UNREACHABLE' });
    },
  );

  it('is refused otherwise, by name of the fault, with the setting that helps', async () => {
    const port = await serveSecurely(streamableBackend().handler);
    const error = (await launchOf(configOf(port))) as PanelError;
    expect(error).toMatchObject({
      code: 'UNREACHABLE',
      data: { networkCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    expect(error.message).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(error.remedy).toContain('tls.caFile');
  });

  it('is still refused under a name that its certificate does not have', async () => {
    const port = await serveSecurely(streamableBackend().handler, '127.0.0.2');
    const tls = { caFile: fixture('certificate') };
    const error = (await launchOf(remoteConfig(`https://127.0.0.2:${port}/mcp`, {}, { tls }))) as PanelError;
    expect(error).toMatchObject({
      code: 'UNREACHABLE',
      data: { networkCode: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
    expect(error.remedy).toContain('name that its certificate has');
  });
});

describe('tls.caFile', () => {
  const damaged = '-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----\n';

  it.each([
    ['is missing', undefined, 'there is no such file'],
    ['holds no certificate', 'hello', 'no certificate in PEM form'],
    ['holds a damaged one', damaged, 'certificate no. 1 is damaged'],
  ])('that %s fails the start for good, with its path and what belongs there', async (_what, text, found) => {
    const caFile = join(folder, 'ca.pem');
    if (text !== undefined) writeFileSync(caFile, text);
    const error = (await launchOf(configOf(1, { caFile }))) as PanelError;
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', data: { path: 'mcpServers.remote.tls.caFile' } });
    expect(error.message).toContain(caFile);
    expect(error.message).toContain(found);
    expect(error.remedy).toContain('PEM');
  });

  it('is read anew at each start', async () => {
    const port = await serveSecurely(streamableBackend().handler);
    const config = configOf(port, { caFile: join(folder, 'ca.pem') });
    expect(await launchOf(config)).toMatchObject({ code: 'CONFIG_INVALID' });
    writeFileSync(join(folder, 'ca.pem'), readFileSync(fixture('certificate')));
    expect(await launchOf(config)).toBe('test-server');
  });
});
