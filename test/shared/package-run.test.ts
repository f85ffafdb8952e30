import { describe, expect, it } from 'vitest';
import { configOf, configOfLine } from '../support/config-of.ts';
import { installKey, preparingReason, packageRunOf } from '../../shared/package-run.ts';

const remote = configOf({ url: 'http://localhost/npx' });

describe('installKey', () => {
  it.each([
    ['npx -y @scope/server /data', 'npm @scope/server'],
    ['npx --yes @scope/server@1.2.3 --flag', 'npm @scope/server'],
    ['npx server@latest', 'npm server'],
    ['npx -y -- server', 'npm server'],
    ['npx -y --registry http://localhost:4873 server', 'npm server'],
    ['npx --registry=http://localhost:4873 server', 'npm server'],
    ['npx -y -p @scope/a server-a --verbose', 'npm @scope/a'],
    ['npx --package=b --package a@2 -y run-both', 'npm a b'],
    ['npx -p a@1 -c run', 'npm a'],
    ['npx -y github:me/server', 'npm github:me/server'],
    ['npx ./local-server', 'npm ./local-server'],
    ['npx', 'npm'],
    ['npm exec -y server', 'npm server'],
    ['npm x -- server@next', 'npm server'],
    ['/usr/local/bin/npx -y server', 'npm server'],
    ['C:\\nodejs\\npx.cmd -y server', 'npm server'],
    ['NPX.EXE server', 'npm server'],
    ['cmd /c npx -y server', 'npm server'],
    ['cmd.exe /d /s /C npx server', 'npm server'],
    ['pnpm dlx server@1', 'pnpm server'],
    ['pnpm dlx --package=@scope/a run', 'pnpm @scope/a'],
    ['pnpx server', 'pnpm server'],
    ['yarn dlx -q server', 'yarn server'],
    ['bunx --bun server', 'bun server'],
    ['bun x server@2', 'bun server'],
    ['uvx mcp-server-git --repository .', 'uv mcp-server-git'],
    ['uvx mcp_server.git@latest', 'uv mcp-server-git'],
    ['uvx --python 3.12 MCP-Server[cli]==1.0', 'uv mcp-server'],
    ['uvx -p 3.12 --with extra --from server-pkg>=1 server', 'uv server-pkg'],
    ['uvx --from git+https://example.org/x.git server', 'uv git+https://example.org/x.git'],
    ['uv tool run server', 'uv server'],
    ['pipx run --spec my_server==2 server', 'pipx my-server'],
    ['pipx run --no-cache server', 'pipx server'],
  ])('of "%s" is "%s"', (commandLine, expected) => {
    expect(installKey(configOfLine(commandLine))).toBe(expected);
  });

  it.each([
    'node server.mjs',
    'npm start',
    'pnpm run dlx',
    'uv run server.py',
    'pipx install server',
    'yarn server',
    'bun server.ts',
    'python -m npx',
    'my-npx server',
    'docker run image',
    'cmd /c node server.mjs',
    'cmd',
  ])('of "%s" does not exist', (commandLine) => {
    expect(installKey(configOfLine(commandLine))).toBeUndefined();
    expect(preparingReason(configOfLine(commandLine))).toBeUndefined();
  });

  it('of a remote server does not exist', () => {
    expect(installKey(remote)).toBeUndefined();
  });
});

describe('packageRunOf', () => {
  it('tells runner and package in words that people know', () => {
    expect(packageRunOf(configOfLine('pnpm dlx server@1'))).toMatchObject({
      runner: 'pnpm dlx',
      packages: ['server'],
    });
    expect(packageRunOf(configOfLine('cmd /c npx -y @a/b'))).toMatchObject({
      runner: 'npx',
      packages: ['@a/b'],
    });
  });
});
