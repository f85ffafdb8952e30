import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftOf, entryOf, hasPlainArguments } from '../../../renderer/editor/server-draft.ts';
import { settingFields } from '../../../renderer/entry/setting-fields.ts';
import { settingProblem, settingToText, textToSetting } from '../../../renderer/entry/setting-text.ts';
import { defaultPanelSettings, panelSettingsSchema } from '../../../shared/panel-settings.ts';
import { entryValueAt, withValueAt } from '../../../renderer/entry/raw-entry.ts';

describe('a draft', () => {
  it('says the same as the entry it was made of, whatever that holds', () => {
    const entry = fc.dictionary(
      fc.constantFrom(
        'type',
        'command',
        'args',
        'env',
        'cwd',
        'url',
        'headers',
        'tls',
        'disabled',
        'panel',
        'own',
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(entry, (raw) => {
        expect(entryOf(draftOf('a', raw), raw)).toEqual(raw);
      }),
    );
  });

  it('writes only what was changed, in its place, and keeps what it does not know', () => {
    const raw = { own: 1, command: 'npx', args: ['-y', 'one'], env: { A: '1' }, panel: { later: true } };
    const draft = { ...draftOf('a', raw), args: '-y\ntwo\n', panel: { 'limits.maxMemoryMiB': '512' } };
    const after = entryOf(draft, raw);
    expect(after).toEqual({
      ...raw,
      args: ['-y', 'two'],
      panel: { later: true, limits: { maxMemoryMiB: 512 } },
    });
    expect(Object.keys(after)).toEqual(Object.keys(raw));
  });

  it('takes a setting away that is emptied, and the objects this leaves empty', () => {
    const raw = { command: 'npx', panel: { limits: { maxMemoryMiB: 512 } } };
    const draft = draftOf('a', raw);
    expect(draft.panel['limits.maxMemoryMiB']).toBe('512');
    expect(entryOf({ ...draft, panel: {} }, raw)).toEqual({ command: 'npx' });
  });

  it('leaves the other kind behind when a command becomes an address', () => {
    const raw = { command: 'npx', args: ['x'], env: { A: '1' }, cwd: '.', panel: { autoStart: false } };
    const draft = {
      ...draftOf('a', raw),
      reach: 'address',
      url: ' https://a.example/mcp ',
      protocol: 'sse',
    } as const;
    expect(entryOf(draft, raw)).toEqual({
      url: 'https://a.example/mcp',
      type: 'sse',
      panel: { autoStart: false },
    });
  });

  it('says how a certificate is checked only where it differs from the usual', () => {
    const raw = { url: 'https://a.example', tls: { caFile: '/ca.pem', note: 1 } };
    const draft = draftOf('a', raw);
    expect([draft.verifiesTls, draft.caFile]).toEqual([true, '/ca.pem']);
    expect(entryOf({ ...draft, verifiesTls: false, caFile: '' }, raw)).toEqual({
      url: 'https://a.example',
      tls: { note: 1, verify: false },
    });
    const plain = { url: 'https://a.example', tls: { verify: false } };
    expect(entryOf({ ...draftOf('a', plain), verifiesTls: true }, plain)).toEqual({
      url: 'https://a.example',
    });
  });

  it('keeps a type that other clients use for the same transport', () => {
    const raw = { type: 'streamable-http', url: 'https://a.example' };
    expect(entryOf({ ...draftOf('a', raw), url: 'https://b.example' }, raw)).toEqual({
      type: 'streamable-http',
      url: 'https://b.example',
    });
  });

  it('knows arguments that lines cannot hold', () => {
    expect(hasPlainArguments({ args: ['a b', ''] })).toBe(true);
    expect(hasPlainArguments({ args: ['a\nb'] })).toBe(false);
  });
});

describe('the settings of the form', () => {
  it('have the defaults of the schema, and are all of it but autoStart', () => {
    const withCheck = panelSettingsSchema.parse({ health: { check: { tool: 'ping_db' } } });
    for (const field of settingFields)
      if (field.path !== 'health.check.tool')
        expect([field.path, field.default]).toEqual([field.path, entryValueAt(withCheck, field.path)]);
    const known = new Set(settingFields.map(({ path }) => path));
    const all = Object.entries(defaultPanelSettings).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null
        ? Object.keys(value).map((inner) => `${key}.${inner}`)
        : [key],
    );
    expect(all.filter((path) => !known.has(path))).toEqual(['autoStart']);
  });

  it('have the bounds of the schema', () => {
    const accepts = (path: string, value: unknown) =>
      panelSettingsSchema.safeParse(
        withValueAt(path.includes('.check.') ? { health: { check: { tool: 'ping_db' } } } : {}, path, value),
      ).success;
    for (const field of settingFields) {
      if (field.kind === 'text') continue;
      if (field.kind === 'choice') {
        for (const { value } of field.choices)
          expect([field.path, accepts(field.path, value)]).toEqual([field.path, true]);
        expect(accepts(field.path, 'neither')).toBe(false);
        continue;
      }
      const verdicts = [field.min - 1, field.min, field.max, field.max + 1, 1.5].map((value) =>
        accepts(field.path, value),
      );
      expect([field.path, ...verdicts]).toEqual([field.path, false, true, true, false, !field.isWhole]);
    }
  });

  it('take the arguments of its own health check as JSON in braces', () => {
    const field = settingFields.find(({ path }) => path === 'health.check.arguments')!;
    expect(textToSetting(field, ' {"db":"main"} ')).toEqual({ db: 'main' });
    expect(settingToText(field, { db: 'main' })).toBe('{"db":"main"}');
    expect(settingProblem(field, '{"db":"main"}')).toBeUndefined();
    for (const text of ['db=main', '["main"]', '{"db":'])
      expect(settingProblem(field, text)).toBe('Expected JSON in braces: { "name": "value" }.');
    const draft = draftOf('a', { command: 'x' });
    const panel = { ...draft.panel, 'health.check.tool': 'ping_db', 'health.check.everyMs': '30' };
    expect(entryOf({ ...draft, panel }, { command: 'x' })).toEqual({
      command: 'x',
      panel: { health: { check: { tool: 'ping_db', everyMs: 30_000 } } },
    });
  });

  it('are typed in the unit shown', () => {
    const delay = settingFields.find(({ path }) => path === 'restart.initialBackoffMs')!;
    expect(textToSetting(delay, ' 0,25 ')).toBe(250);
    expect(textToSetting(delay, '1.001')).toBe(1001);
    expect(settingToText(delay, 1500)).toBe('1.5');
    expect(textToSetting(delay, '')).toBeUndefined();
    expect(settingProblem(delay, '1.0005')).toBe('Expected at most three decimals.');
    expect(settingProblem(delay, 'soon')).toBe('Expected a number.');
    expect(settingProblem(delay, '0')).toBe('Expected at least 0.001 s.');
    expect(settingProblem(delay, '100000')).toBe('Expected at most 86400 s.');
    expect(settingProblem(delay, '2')).toBeUndefined();
  });
});
