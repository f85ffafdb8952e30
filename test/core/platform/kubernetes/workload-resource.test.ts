import { describe, expect, it } from 'vitest';
import type { EngineApi } from '../../../../electron/core/platform/containers/engine-api.ts';
import { podStateOf } from '../../../../electron/core/platform/kubernetes/pod-status.ts';
import { findWorkload } from '../../../../electron/core/platform/kubernetes/workload-resource.ts';
import { runOnSchema, workloadPlaceOf } from '../../../../shared/panel-settings.ts';
import { workloadWords } from '../../../../shared/run-host.ts';

const find = (runOn: object, answers: Readonly<Record<string, object | number>>) => {
  const ask = (_: string, path: string) => {
    const found = answers[path] ?? 404;
    return Promise.resolve(
      typeof found === 'number' ? { status: found, words: 'words' } : { status: 200, body: found, words: '' },
    );
  };
  const place = workloadPlaceOf(runOnSchema.parse({ engine: 'kubernetes', ...runOn }))!;
  return findWorkload({ ask } as unknown as EngineApi, place, 'tools');
};

describe('what an entry names in a cluster', () => {
  it('picks its pods by labels and by expressions', async () => {
    const matchExpressions = [
      { key: 'tier', operator: 'In', values: ['a', 'b'] },
      { key: 'old', operator: 'NotIn', values: ['yes'] },
      { key: 'here', operator: 'Exists' },
      { key: 'gone', operator: 'DoesNotExist' },
    ];
    const selector = { matchLabels: { app: 'api', part: 'x' }, matchExpressions };
    const found = await find(
      { deployment: 'api' },
      { '/apis/apps/v1/namespaces/tools/deployments/api': { spec: { selector } } },
    );
    expect(found.selector).toBe('app=api,part=x,tier in (a,b),old notin (yes),here,!gone');
  });

  it('is refused as a Service that picks none', async () => {
    const answers = { '/api/v1/namespaces/tools/services/api': { spec: {} } };
    await expect(find({ service: 'api', port: 80 }, answers)).rejects.toMatchObject({
      message: 'Service api picks no pods: it has no selector.',
    });
  });

  it('leads to the port of a pod that has the name of the target', async () => {
    const ports = [{ port: 80, targetPort: 'http' }, { port: 81 }];
    const answers = { '/api/v1/namespaces/tools/services/api': { spec: { selector: { a: 'b' }, ports } } };
    const spec = { containers: [{ name: 'main', ports: [{ name: 'http', containerPort: 3000 }] }] };
    const pod = podStateOf({ metadata: { name: 'one' }, spec, status: {} })!;
    expect((await find({ service: 'api', port: 80 }, answers)).portIn(pod)).toBe(3000);
    expect((await find({ service: 'api', port: 81 }, answers)).portIn(pod)).toBe(81);
  });

  it('is an MCPServer in the group that has it, and needs a Deployment of its name', async () => {
    const kind = { resource: 'mcpservers', responseKind: { kind: 'MCPServer' } };
    const group = (name: string) => ({
      metadata: { name },
      versions: [{ version: 'v1', resources: [{ resource: 'others' }, kind] }],
    });
    const answers = {
      '/apis': { items: [group('forbidden.dev'), group('kagent.dev')] },
      '/apis/forbidden.dev/v1/namespaces/tools/mcpservers/api': 403,
      '/apis/kagent.dev/v1/namespaces/tools/mcpservers/api': {},
    };
    await expect(find({ mcpServer: 'api' }, answers)).rejects.toThrow(
      'its operator has made no Deployment "api"',
    );
    const forbidden = { ...answers, '/apis': { items: [group('forbidden.dev')] } };
    await expect(find({ mcpServer: 'api' }, forbidden)).rejects.toMatchObject({
      remedy: expect.stringContaining('apiGroups: ["forbidden.dev"], resources: [mcpservers]') as string,
    });
    await expect(find({ mcpServer: 'api' }, {})).rejects.toThrow('the cluster has no resource of that kind');
  });

  it('is named with its namespace and context', () => {
    const place = { engine: 'kubernetes', context: 'kind', namespace: 'tools', deployment: 'api' } as const;
    expect(workloadWords(place)).toBe('Deployment api in namespace tools of context kind');
  });

  it.each([
    { deployment: 'api', service: 'api' },
    { port: 80 },
    { deployment: '../secrets' },
    { deployment: 'Api' },
    { deployment: 'api', port: 0 },
  ])('is refused as %j', (fields) => {
    expect(runOnSchema.safeParse({ engine: 'kubernetes', ...fields }).success).toBe(false);
  });
});
