import { describe, expect, it } from 'vitest';
import { remediesFor, type Remedy } from '../../../renderer/format/remedies.ts';
import type { ErrorCode, ErrorReport } from '../../../shared/error-codes.ts';
import type { ErrorData } from '../../../shared/error-data.ts';
import type { Fix } from '../../../shared/fix.ts';

const told = (remedy: Remedy): string => {
  if (remedy.kind === 'copy') return `${remedy.label} = ${remedy.text}`;
  if (remedy.kind === 'open') return `${remedy.dialog}: ${remedy.label}`;
  const proposed = [remedy.command, ...(remedy.variables ?? [])].filter((part) => part !== undefined);
  return [`${remedy.target}: ${remedy.label}`, ...proposed].join(' + ');
};

const remedies = (error: Partial<ErrorReport>, transport: 'stdio' | 'http' = 'stdio') =>
  remediesFor({ code: 'START_FAILED', message: 'x', ...error }, { transport }).map(told);

const COMMAND = 'command: Edit command…';
const ARGUMENTS = 'args: Edit arguments…';
const ENVIRONMENT = 'env: Edit environment…';

describe('remedies by code', () => {
  it.each<[ErrorCode, ErrorData | undefined, readonly string[]]>([
    ['CONSENT_REQUIRED', undefined, ['consent: Review the change…']],
    ['SECRET_MISSING', undefined, ['missing: Enter the values…']],
    ['COMMAND_NOT_FOUND', { wrong: 'mine' }, [COMMAND]],
    ['COMMAND_NOT_FOUND', undefined, [COMMAND]],
    ['COMMAND_NOT_FOUND', { wrong: 'ndoe', suggestion: 'node' }, ['command: Use “node”… + node', COMMAND]],
    [
      'COMMAND_NOT_FOUND',
      { wrong: 'uvx' },
      [COMMAND, 'Install uv: copy its address = https://docs.astral.sh/uv/getting-started/installation/'],
    ],
    [
      'COMMAND_NOT_FOUND',
      { wrong: 'C:\\Tools\\npx.cmd' },
      [COMMAND, 'Install Node.js: copy its address = https://nodejs.org/en/download'],
    ],
    ['COMMAND_NOT_FOUND', { wrong: 'constructor' }, [COMMAND]],
    ['PERMISSION_DENIED', { wrong: './run.sh' }, [COMMAND]],
    ['CWD_MISSING', { wrong: '/gone' }, ['cwd: Edit working folder…']],
    ['LIMIT_BREACHED', undefined, ['limits: Edit limits…']],
    ['START_TIMEOUT', undefined, ['limits: Allow it more time…']],
    ['STALLED', undefined, ['limits: Edit supervision…']],
    ['START_FAILED', undefined, [COMMAND]],
    ['CRASHED', undefined, [COMMAND]],
    ['SUPERSEDED', undefined, []],
    ['CONFIG_CONFLICT', undefined, []],
  ])('%s %j', (code, data, expected) => {
    expect(remedies({ code, data })).toEqual(expected);
  });

  it.each<[ErrorCode, readonly string[]]>([
    ['AUTH_REQUIRED', ['headers: Edit headers…', 'url: Edit address…']],
    ['UNREACHABLE', ['url: Edit address…']],
    ['PROTOCOL_ERROR', ['url: Edit address…']],
  ])('%s of a remote server', (code, expected) => {
    expect(remedies({ code }, 'http')).toEqual(expected);
  });
});

describe('remedies by what the output says', () => {
  it.each<[Fix, readonly string[]]>([
    [
      { kind: 'set-variable', variable: 'API_KEY', variables: ['API_KEY', 'OTHER'], isSet: false },
      ['env: Set API_KEY… + API_KEY'],
    ],
    [
      { kind: 'set-variable', variable: 'API_KEY', variables: ['API_KEY'], isSet: true },
      ['env: Correct API_KEY…'],
    ],
    [{ kind: 'replace-placeholder', placeholder: '${x}' }, [ARGUMENTS, ENVIRONMENT]],
    [
      { kind: 'start-engine', engine: 'docker' },
      ['Install Docker: copy its address = https://docs.docker.com/get-started/get-docker/', COMMAND],
    ],
    [{ kind: 'start-engine', engine: 'other' }, [COMMAND]],
    [
      { kind: 'install-command', command: 'uv' },
      ['Install uv: copy its address = https://docs.astral.sh/uv/getting-started/installation/', COMMAND],
    ],
    [{ kind: 'install-command' }, [COMMAND]],
    [{ kind: 'check-package', package: 'x' }, [ARGUMENTS]],
    [{ kind: 'check-path', path: '/x' }, [ARGUMENTS, ENVIRONMENT]],
    [{ kind: 'check-arguments' }, [ARGUMENTS]],
    [{ kind: 'check-credential' }, [ENVIRONMENT, ARGUMENTS]],
    [
      { kind: 'update-runtime', runtime: 'node' },
      ['Update Node.js: copy its address = https://nodejs.org/en/download', COMMAND],
    ],
    [
      { kind: 'repair-cache', command: 'npm cache clean --force' },
      ['Copy the command = npm cache clean --force'],
    ],
    [{ kind: 'read-log', folder: '~/.npm/_logs' }, ['Copy the folder of its log = ~/.npm/_logs']],
    [{ kind: 'free-memory' }, [ENVIRONMENT, 'limits: Edit limits…']],
    [{ kind: 'free-disk' }, []],
  ])('%j', (fix, expected) => {
    expect(remedies({ fix })).toEqual(expected);
  });

  it('are about headers and address where the server is remote', () => {
    expect(remedies({ fix: { kind: 'check-credential' } }, 'http')).toEqual([
      'headers: Edit headers…',
      'url: Edit address…',
    ]);
  });
});
