import { describe, expect, it, vi } from 'vitest';
import { asksOf } from '../../../../electron/core/config/import/entry-asks.ts';
import { placeholdersIn } from '../../../../electron/core/config/import/find-placeholders.ts';

describe('placeholdersIn()', () => {
  it('looks once at a text that holds none, whatever number of forms there is', () => {
    const looks = vi.spyOn(RegExp.prototype, 'exec');
    try {
      expect(placeholdersIn('@modelcontextprotocol/server-stock', 'args')).toEqual([]);
      expect(looks).toHaveBeenCalledTimes(1);
    } finally {
      looks.mockRestore();
    }
  });

  it.each([
    ['<YOUR_TOKEN>', ['<YOUR_TOKEN>']],
    ['Bearer <your token here>', ['<your token here>']],
    ['YOUR_API_KEY_HERE', ['YOUR_API_KEY_HERE']],
    ['your-api-key', ['your-api-key']],
    ['xoxb-your-bot-token', ['xoxb-your-bot-token']],
    ['API_KEY_HERE', ['API_KEY_HERE']],
    ['REPLACE_ME', ['REPLACE_ME']],
    ['changeme', ['changeme']],
    ['...', ['...']],
    ['sk-...', ['sk-...']],
    ['xxx', ['xxx']],
    ['ghp_xxxxxxxxxxxx', ['ghp_xxxxxxxxxxxx']],
    ['xxxx-xxxx-xxxx', ['xxxx-xxxx-xxxx']],
    ['${input:a}:${env:B}', ['${input:a}', '${env:B}']],
    ['$GITHUB_TOKEN', ['$GITHUB_TOKEN']],
    ['%APPDATA%\\stock', ['%APPDATA%']],
    ['/ABSOLUTE/PATH/TO/stock', ['/ABSOLUTE/PATH/TO/stock']],
    ['/path/to/my files/stock', ['/path/to/my files/stock']],
    ['C:\\path\\to\\stock', ['C:\\path\\to\\stock']],
    ['/Users/username/Desktop', ['/Users/username/Desktop']],
    ['type=bind,src=/path/to/a,dst=/data', ['/path/to/a']],
    ['--root=/path/to/a', ['/path/to/a']],
    ['/home/you/stock', ['/home/you/stock']],
    ['parent/folder/stock', ['parent/folder/stock']],
    ['{{token}} [insert token]', ['{{token}}', '[insert token]']],
    ['PUT_IT', ['PUT_IT']],
    ['***', ['***']],
    ['sk-…', ['sk-…']],
  ])('finds those of %j', (text, found) => {
    expect(placeholdersIn(text, 'env').map((placeholder) => placeholder.text)).toEqual(found);
  });

  it.each([
    '-y',
    '@modelcontextprotocol/server-github',
    'ghcr.io/acme/stock:1.2',
    'pa$SWORD',
    '50%',
    './...',
    '/home/user/stock',
    '/Users/ada/your files',
    'add-numbers',
    'a<b',
    'https://stock.example/path/to/mcp',
    'xxhash',
    '',
  ])('finds none in %j', (text) => {
    expect(placeholdersIn(text, 'args')).toEqual([]);
  });
});

describe('asksOf()', () => {
  it('calls each by what a person knows it by, and tells what is secret', () => {
    const asks = asksOf({
      command: '/path/to/stock',
      args: ['--api-key', '<KEY>', '--region=<REGION>', '-e', 'STOCK_TOKEN=xxx', '<your folder>'],
      env: { PORT: '${PORT:-3000}', CODE: 'sk-...' },
    });
    expect(asks.map(({ where, key, label, secret, kind }) => [where, key, label, secret, kind])).toEqual([
      ['command', 'command', '/path/to/stock', false, 'path'],
      ['args', '1', '--api-key', true, 'value'],
      ['args', '2', '--region', false, 'value'],
      ['args', '4', 'STOCK_TOKEN', true, 'value'],
      ['args', '5', 'your folder', false, 'path'],
      ['env', 'PORT', 'PORT', false, 'environment'],
      ['env', 'CODE', 'CODE', true, 'value'],
    ]);
    expect(asks.find(({ key }) => key === 'PORT')).toMatchObject({ variable: 'PORT', suggestion: '3000' });
  });

  it('asks once for a ${…} that stands in several places', () => {
    expect(asksOf({ command: 'x', args: ['${input:a}'], env: { A: '${input:a}' } })).toHaveLength(1);
  });
});
