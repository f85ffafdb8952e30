import { describe, expect, it } from 'vitest';
import { createDeferred, type Deferred } from '../../../electron/core/deferred.ts';
import { ProtocolLogLevel } from '../../../electron/core/mcp/log-level.ts';

function bench() {
  const asked: string[] = [];
  const answers: Deferred<unknown>[] = [];
  const logLevel = new ProtocolLogLevel((level) => {
    asked.push(level);
    const answer = createDeferred<unknown>();
    answers.push(answer);
    return answer.promise;
  });
  const answer = async () => {
    answers.at(-1)!.resolve({});
    await new Promise(setImmediate);
  };
  return { logLevel, asked, answers, answer };
}

describe('the log level of a server', () => {
  it('is the most verbose of all wishes', async () => {
    const { logLevel, asked, answer } = bench();
    logLevel.want('warning');
    await answer();
    const leave = logLevel.want('debug');
    await answer();
    logLevel.want('info');
    await answer();
    expect(asked).toEqual(['warning', 'debug']);
    leave();
    await answer();
    expect(asked).toEqual(['warning', 'debug', 'info']);
  });

  it('stays when nobody wishes anything any more, and is asked for again only where it differs', async () => {
    const { logLevel, asked, answer } = bench();
    const leave = logLevel.want('debug');
    await answer();
    leave();
    logLevel.want('debug');
    logLevel.want('debug');
    await answer();
    expect(asked).toEqual(['debug']);
  });

  it('is asked for one request at a time, and only for what is wished when its turn comes', async () => {
    const { logLevel, asked, answer } = bench();
    logLevel.want('error');
    const leave = logLevel.want('debug');
    logLevel.want('notice');
    leave();
    expect(asked).toEqual(['error']);
    await answer();
    expect(asked).toEqual(['error', 'notice']);
  });

  it('is none the worse for a refusal', async () => {
    const { logLevel, asked, answers } = bench();
    logLevel.want('info');
    answers[0]!.reject(new Error('not supported'));
    await new Promise(setImmediate);
    logLevel.want('debug');
    expect(asked).toEqual(['info', 'debug']);
  });
});
