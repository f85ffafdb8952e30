import { describe, expect, it } from 'vitest';
import { isUpdateUrl, updateMode, type UpdateFacts } from '../../../electron/shell/updates/updates.ts';

const feed =
  'provider: generic\nurl: https://updates.example.org/\nupdaterCacheDirName: mcp-control-panel-updater\n';
const signed = `${feed}publisherName:\n  - Somebody\n`;
const packaged: UpdateFacts = { isPackaged: true, platform: 'darwin', feed };

describe('updates', () => {
  it.each<[string, Partial<UpdateFacts>]>([
    ['a run from the source', { isPackaged: false }],
    ['a build without a feed', { feed: undefined }],
    ['a build without a feed on Windows', { feed: undefined, platform: 'win32' }],
  ])('are off in %s', (_what, facts) => {
    expect(updateMode({ ...packaged, ...facts })).toBe('off');
  });

  it.each<[string, Partial<UpdateFacts>]>([
    ['macOS, which compares signatures itself', {}],
    ['Windows, for a build that names its publisher', { platform: 'win32', feed: signed }],
  ])('can be installed on %s', (_where, facts) => {
    expect(updateMode({ ...packaged, ...facts })).toBe('install');
  });

  it.each<[string, Partial<UpdateFacts>]>([
    ['Windows, for a build that nobody signed', { platform: 'win32' }],
    [
      'Windows, where only a comment names a publisher',
      { platform: 'win32', feed: `${feed}# publisherName: x` },
    ],
    ['Linux', { platform: 'linux' }],
    ['Linux, whatever the file says', { platform: 'linux', feed: signed }],
  ])('are only told of on %s, where nothing checks a signature', (_where, facts) => {
    expect(updateMode({ ...packaged, ...facts })).toBe('tell');
  });
});

describe('an address for an update', () => {
  it.each(['https://updates.example.org/latest.yml', 'http://127.0.0.1:8080/latest.yml', 'http://[::1]/a'])(
    'may be %s',
    (url) => expect(isUpdateUrl(url)).toBe(true),
  );

  it.each([
    'http://updates.example.org/latest.yml',
    'http://127.0.0.1.example.org/latest.yml',
    'http://localhost@example.org/',
    'ftp://127.0.0.1/latest.yml',
    'file:///etc/passwd',
    'ws://127.0.0.1/',
    'no address',
    '',
  ])('may not be "%s"', (url) => expect(isUpdateUrl(url)).toBe(false));
});
