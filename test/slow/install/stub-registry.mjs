import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const BLOCK = 512;

/**
 * A package registry on loopback, which is also the proxy on the way to one. `mode` is what it does with all it is asked:
 * `ok`, a status that it answers with, `checksum` for a first package of other content, `hang` for no answer, `other-version`.
 * @typedef {{ name: string, files: Record<string, string>, bin?: Record<string, string> }} StubPackage
 */
export class StubRegistry {
  /** @type {string | number} */
  mode = 'ok';
  requests = 0;
  #packages = new Map();
  #sockets = new Set();
  #server = createServer((request, response) => this.#answer(request, response));

  /** @param {readonly StubPackage[]} packages */
  constructor(packages) {
    for (const { name, files } of packages) {
      const manifest = { name, version: '1.0.0' };
      const tarball = packTarball({ 'package.json': JSON.stringify(manifest), ...files });
      this.#packages.set(name, { manifest, tarball, integrity: integrityOf(tarball) });
    }
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    // A proxy is asked for a tunnel to a registry with TLS.
    this.#server.on('connect', (_request, socket) => {
      this.requests += 1;
      socket.on('error', () => undefined);
      if (this.mode !== 'hang') socket.end(`HTTP/1.1 ${this.mode} Refused\r\nContent-Length: 0\r\n\r\n`);
    });
  }

  async open() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/`;
  }

  /** What package-lock.json says of the packages. */
  get lock() {
    const dependencies = Object.fromEntries([...this.#packages.keys()].map((name) => [name, '1.0.0']));
    const entries = [...this.#packages].map(([name, { integrity }]) => [
      `node_modules/${name}`,
      { version: '1.0.0', integrity, dev: true },
    ]);
    const root = { name: 'checkout', version: '0.0.0', devDependencies: dependencies };
    return {
      ...root,
      lockfileVersion: 3,
      requires: true,
      packages: { '': root, ...Object.fromEntries(entries) },
    };
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer({ url = '' }, response) {
    this.requests += 1;
    if (this.mode === 'hang') return;
    if (typeof this.mode === 'number') return reply(response, this.mode, { error: 'as the test says' });
    // A proxy is asked for the whole address.
    const path = url.replace(/^https?:\/\/[^/]+/, '');
    if (path.startsWith('/-/ping')) return reply(response, 200, {});
    const [, name = '', isTarball] = /^\/([^/?]+)(\/-\/)?/.exec(decodeURIComponent(path)) ?? [];
    const found = this.#packages.get(name);
    if (found === undefined) return reply(response, 404, { error: 'not found' });
    if (isTarball === undefined) return reply(response, 200, this.#packument(name, found));
    const isOther = this.mode === 'checksum' && name === [...this.#packages.keys()][0];
    response.end(isOther ? packTarball({ 'package.json': '{}' }) : found.tarball);
  }

  #packument(name, { manifest, integrity }) {
    const version = this.mode === 'other-version' ? '2.0.0' : '1.0.0';
    const dist = { tarball: `${this.url}${name}/-/${name}-${version}.tgz`, integrity };
    const versions = { [version]: { ...manifest, version, dist } };
    return { name, 'dist-tags': { latest: version }, versions };
  }
}

function reply(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const integrityOf = (bytes) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** A tarball as npm packs one: all below `package/`. */
function packTarball(/** @type {Record<string, string>} */ files) {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text);
    return [header(`package/${path}`, content.length), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

/** A header of the ustar format. */
function header(path, size) {
  const block = Buffer.alloc(BLOCK);
  const octal = (value, width) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(path, 0);
  block.write(octal(0o755, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(0, 12), 100);
  block.write('        0', 148);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(octal(sum, 7), 148);
  return block;
}
