import { describe, expect, it } from 'vitest';
import {
  errorCodes,
  PanelError,
  toErrorDetail,
  toErrorReport,
  type ErrorCode,
} from '../../shared/error-codes.ts';

describe('error codes', () => {
  it('are never renamed and never lost', () => {
    const pinned =
      'SERVER_UNKNOWN SUPERSEDED CONFIG_BROKEN CONFIG_INVALID COMMAND_NOT_FOUND PERMISSION_DENIED CWD_MISSING START_FAILED START_TIMEOUT CRASHED STALLED LIMIT_BREACHED STOPPED SESSION_CLOSED POOL_EXHAUSTED MANAGER_CLOSED OUTCOME_UNKNOWN REQUEST_TIMEOUT CANCELLED AUTH_REQUIRED UNREACHABLE PROTOCOL_ERROR CONFIG_CONFLICT SERVER_ERROR PROTOCOL_ERA_UNSUPPORTED PORT_UNAVAILABLE CLIENT_UNKNOWN PROCESS_UNKNOWN PROCESS_SURVIVES CONSENT_REQUIRED SECRET_MISSING FILE_NOT_WRITTEN SIGN_IN_REQUIRED TOOL_CHANGED APPROVAL_REFUSED TOOL_HIDDEN RUNTIME_TOO_OLD CANNOT_SLEEP';
    expect(Object.keys(errorCodes)).toEqual(pinned.split(' '));
  });

  it('each say when they are raised', () => {
    for (const meaning of Object.values(errorCodes)) expect(meaning).toMatch(/^[A-Z].{20,}\.$/);
  });
});

describe('PanelError', () => {
  it('keeps the beginning and the end of a message of megabytes, and says what is missing', () => {
    const words = `first ${'word '.repeat(1_000_000)}last`;
    for (const { message } of [
      new PanelError('CRASHED', words),
      toErrorReport(new Error(words), 'START_FAILED'),
    ]) {
      expect(message).toMatch(/^first word .*… \[\d+ characters left out\] ….* last$/);
      expect(message.length).toBeLessThanOrEqual(8192);
    }
  });

  const codes = Object.keys(errorCodes) as ErrorCode[];

  it.each(codes)('%s has a remedy wherever it is thrown, which may be a better one', (code) => {
    expect(new PanelError(code, 'x').remedy).toMatch(/^[A-Z].{20,}\.$/);
    expect(new PanelError(code, 'x', { remedy: undefined }).remedy).not.toBe('');
    expect(new PanelError(code, 'x', { remedy: 'Look there.' }).remedy).toBe('Look there.');
  });
});

describe('toErrorDetail', () => {
  it('is the report, flat', () => {
    const error = new PanelError('CRASHED', 'It ended.', { remedy: 'Look.', short: { phrase: 'ended' } });
    expect(toErrorDetail(error, 'STALLED')).toEqual({
      code: 'CRASHED',
      message: 'It ended.',
      remedy: 'Look.',
      phrase: 'ended',
    });
  });
});

describe('toErrorReport', () => {
  it('carries what the server wrote about the cause, and what would mend it', () => {
    const fix = { kind: 'free-disk' } as const;
    const data = { exitCode: 1, causeLines: ['no space'], fix };
    expect(
      toErrorReport(new PanelError('CRASHED', 'gone', { data, remedy: 'Make room.' }), 'CRASHED'),
    ).toEqual({
      code: 'CRASHED',
      message: 'gone',
      remedy: 'Make room.',
      causeLines: ['no space'],
      fix,
    });
    const silent = new PanelError('CRASHED', 'gone', { data: { causeLines: [] } });
    expect(toErrorReport(silent, 'CRASHED')).not.toHaveProperty('causeLines');
  });

  it('carries the data that readers need, bounded, and no other', () => {
    const data = { field: 'env.TOKEN', statement: 'is missing', exitCode: 1, rpcData: { a: 'b' } };
    const short = { phrase: 'ended', hasMore: true } as const;
    const report = toErrorReport(new PanelError('CONFIG_INVALID', 'x', { data, short }), 'CRASHED');
    expect(report.data).toEqual({
      field: 'env.TOKEN',
      statement: 'is missing',
      phrase: 'ended',
      hasMore: true,
    });
    const long = { phrase: 'word '.repeat(10_000), brief: 'word '.repeat(10_000) };
    const cut = toErrorReport(new PanelError('CRASHED', 'x', { short: long }), 'CRASHED').data;
    for (const text of [cut?.phrase, cut?.brief]) expect(text?.length).toBeLessThanOrEqual(2048);
  });

  it('never says the short words of one error for another that was given its data', () => {
    const data = { phrase: 'of another message', brief: 'of another', status: 500 };
    expect(toErrorReport(new PanelError('CRASHED', 'x', { data }), 'CRASHED')).not.toHaveProperty('data');
  });

  it('keeps code, message and remedy of a PanelError', () => {
    expect(toErrorReport(new PanelError('CRASHED', 'gone', { remedy: 'look' }), 'START_FAILED')).toEqual({
      code: 'CRASHED',
      message: 'gone',
      remedy: 'look',
    });
  });

  it('gives everything else the fallback code', () => {
    expect(toErrorReport(new Error('odd'), 'START_FAILED')).toEqual({ code: 'START_FAILED', message: 'odd' });
    expect(toErrorReport('text', 'START_FAILED')).toEqual({ code: 'START_FAILED', message: 'text' });
  });
});
