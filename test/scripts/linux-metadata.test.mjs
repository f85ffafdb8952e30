import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPackaging } from '../../scripts/lib/packaging.mjs';
import { projectRoot } from '../../scripts/lib/paths.mjs';

const packaging = await readPackaging();

const folder = join(projectRoot, 'build', 'linux');
const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.metainfo.xml'));
const text = readFileSync(join(folder, file), 'utf8');
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

const element = (/** @type {string} */ name) => new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(text)?.[1];
const hasValidator = spawnSync('appstreamcli', ['--version']).status === 0;

describe('what software centres show of the app', () => {
  it('is packed by the packages of distributions, where they look for it', () => {
    const packed = [`${join(folder, file)}=/usr/share/metainfo/${file}`];
    expect(packaging.deb.fpm).toEqual(packed);
    expect(packaging.rpm.fpm).toEqual(packed);
    expect(element('id')).toBe(basename(file, '.metainfo.xml'));
  });

  it('says what the packages say: name, licence, version, desktop entry and program', () => {
    expect(element('name')).toBe(packaging.productName);
    expect(element('project_license')).toBe(manifest.license);
    expect(/<release version="([^"]+)"/.exec(text)?.[1]).toBe(manifest.version);
    expect(element('launchable')).toBe(manifest.desktopName);
    expect(manifest.desktopName).toBe(`${packaging.linux.executableName}.desktop`);
    expect(element('binary')).toBe(packaging.linux.executableName);
    expect(element('category')).toBe(packaging.linux.category);
  });

  it.skipIf(!hasValidator)('is valid, where appstreamcli is installed to say so', () => {
    const { status, stdout } = spawnSync('appstreamcli', ['validate', '--no-net', join(folder, file)], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('successful') });
  });
});
