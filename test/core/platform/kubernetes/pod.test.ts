import { describe, expect, it } from 'vitest';
import { containerSpecOf } from '../../../../electron/core/platform/elsewhere/container-spec.ts';
import { requireRuntime } from '../../../../electron/core/platform/kubernetes/cluster-access.ts';
import {
  isProtocolLine,
  LogSplitter,
  utcOf,
} from '../../../../electron/core/platform/kubernetes/log-lines.ts';
import { labelValue, podOf } from '../../../../electron/core/platform/kubernetes/pod-spec.ts';
import { podStateOf, quantityOf } from '../../../../electron/core/platform/kubernetes/pod-status.ts';
import { runOnSchema } from '../../../../shared/panel-settings.ts';

const podFor = async (...options: string[]) => {
  const request = { command: 'docker', args: ['run', '-i', ...options, 'image', 'word'], cwd: '/', env: {} };
  const { body } = await containerSpecOf(request, () => Promise.resolve(''));
  return podOf(body, { server: 'My.Box_1', token: 'ABCDEF0123456789' }, { ours: 'yes' });
};

describe('the pod of a line', () => {
  it('has the name of its run, the words behind the image, and what the options ask for', async () => {
    const options = [
      '--cpus',
      '0.5',
      '-u',
      '1000:100',
      '--read-only',
      '--cap-drop',
      'ALL',
      '-v',
      'cache:/c',
      '-l',
      'a=b',
    ];
    const { metadata, spec } = await podFor(...options, '--security-opt', 'no-new-privileges');
    expect(metadata).toEqual({ name: 'mcp-my-box-1-abcdef012345', labels: { a: 'b', ours: 'yes' } });
    expect(spec.volumes).toEqual([{ name: 'v0', emptyDir: {} }]);
    expect(spec.containers[0]).toMatchObject({
      args: ['word'],
      resources: { limits: { cpu: '500m' } },
      volumeMounts: [{ name: 'v0', mountPath: '/c' }],
      securityContext: {
        ...{ runAsUser: 1000, runAsGroup: 100, readOnlyRootFilesystem: true },
        ...{ capabilities: { drop: ['ALL'] }, allowPrivilegeEscalation: false },
      },
    });
  });

  it.each([
    ['-v', '/home:/home'],
    ['--network', 'none'],
    ['-u', 'node'],
    ['--security-opt', 'apparmor=x'],
  ])('is refused with %s %s', async (...option) => {
    await expect(podFor(...option)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('has labels that a cluster takes', () => {
    expect(labelValue(`-${'a'.repeat(62)}.b`)).toBe('a'.repeat(62));
  });
});

const pod = (status: object, more: object = {}) => ({
  metadata: { name: 'p', ...more },
  spec: { containers: [{ image: 'i', resources: { limits: { memory: '64Mi' } } }] },
  status,
});
const container = (state: object) => ({ containerStatuses: [{ state }] });

describe('the state of a pod', () => {
  it('waits until its program runs, for what the cluster says', () => {
    expect(podStateOf(pod({ phase: 'Pending' }))).toMatchObject({ kind: 'waiting' });
    const creating = pod({ phase: 'Pending', ...container({ waiting: { reason: 'ContainerCreating' } }) });
    expect(podStateOf(creating)).toMatchObject({ kind: 'waiting', waitsFor: 'ContainerCreating' });
    expect(podStateOf(pod({ phase: 'Running', ...container({ running: {} }) }))).toMatchObject({
      kind: 'running',
      memoryLimitBytes: 64 * 1024 * 1024,
    });
  });

  it.each([
    ['ErrImagePull', 'the image i could not be pulled by the cluster, ErrImagePull: why'],
    ['ImagePullBackOff', 'the image i could not be pulled by the cluster, ImagePullBackOff: why'],
    [
      'CreateContainerConfigError',
      'the cluster could not start its program, CreateContainerConfigError: why',
    ],
  ])('ends with %s', (reason, headline) => {
    const { end } = podStateOf(pod(container({ waiting: { reason, message: 'why' } })))!;
    expect(end).toMatchObject({ why: { headline } });
  });

  it('says how it ended', () => {
    const ended = (status: object, more?: object) => podStateOf(pod(status, more))?.end;
    expect(ended(container({ terminated: { exitCode: 3, reason: 'Error' } }))).toEqual({ exitCode: 3 });
    expect(ended(container({ terminated: { exitCode: 137, reason: 'OOMKilled' } }))).toEqual({
      exitCode: 137,
      outOfMemory: { limitBytes: 64 * 1024 * 1024 },
    });
    expect(ended({ phase: 'Failed', reason: 'Evicted', message: 'no memory' })).toMatchObject({
      why: { headline: 'its pod was evicted: no memory' },
    });
    const drained = {
      ...container({ terminated: { exitCode: 143 } }),
      conditions: [{ type: 'DisruptionTarget', status: 'True', message: 'node drained' }],
    };
    expect(ended(drained, { deletionTimestamp: 'now' })).toMatchObject({
      ...{ exitCode: 143, why: { headline: 'its pod was evicted: node drained' } },
    });
    expect(podStateOf({ kind: 'Status' })).toBeUndefined();
  });

  it('reads quantities', () => {
    expect(['250m', '12u', '2', '1.5Gi', '3k', 'x', ''].map(quantityOf)).toEqual([
      ...[0.25, 12 * 1000 ** -2, 2, 1.5 * 1024 ** 3, 3000, undefined, undefined],
    ]);
  });
});

describe('a line of a log', () => {
  it('is a message by its version alone', () => {
    const long = 'x'.repeat(10_000);
    expect(isProtocolLine(Buffer.from('{"result":{},"jsonrpc":"2.0","id":1}\n'))).toBe(true);
    expect(isProtocolLine(Buffer.from(`{"jsonrpc":"2.0","result":"${long}"}\n`))).toBe(true);
    expect(isProtocolLine(Buffer.from('{"level":"debug","frame":{"jsonrpc":"2.0"}}\n'))).toBe(false);
    expect(isProtocolLine(Buffer.from(`{"level":"${long}"}\n`))).toBe(false);
    expect(isProtocolLine(Buffer.from('listening\n'))).toBe(false);
  });

  it('is put together from its parts', () => {
    const splitter = new LogSplitter();
    const lines = ['a', 'b\nc', '\n\nd'].flatMap((part) => splitter.push(Buffer.from(part)));
    expect(lines.map(String)).toEqual(['ab\n', 'c\n', '\n']);
    expect(splitter.rest().map(String)).toEqual(['d']);
  });

  it('has its time in UTC', () => {
    expect(utcOf('2026-01-02T03:04:05.123456789Z')).toBe('2026-01-02T03:04:05.123456789Z');
    expect(utcOf('2026-01-02T03:04:05.123456789+02:00')).toBe('2026-01-02T01:04:05.123456789Z');
  });
});

it('asks for a newer Node by a code of its own', () => {
  expect(() => requireRuntime('22.15.0')).not.toThrow();
  expect(() => requireRuntime('24.21.0')).not.toThrow();
  expect(() => requireRuntime('18.15.0')).toThrow(
    expect.objectContaining({ code: 'RUNTIME_TOO_OLD' }) as Error,
  );
  expect(() => requireRuntime('22.14.0')).toThrow('need Node 22.15 or newer');
});

it('takes a cluster by context and namespace, and refuses what is no name of a namespace', () => {
  const parse = (value: object) => runOnSchema.safeParse({ engine: 'kubernetes', ...value }).success;
  expect(parse({})).toBe(true);
  expect(parse({ context: 'c', namespace: 'n-1' })).toBe(true);
  expect(parse({ namespace: 'a/../b' })).toBe(false);
  expect(parse({ host: 'tcp://x' })).toBe(false);
});
