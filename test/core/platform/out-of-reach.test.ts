import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isClientOfOutOfReach, outOfReach } from '../../../electron/core/platform/out-of-reach.ts';

describe('what a command reaches out of our process table', () => {
  it.each<[string, string]>([
    ['docker run -i --rm mcp/fetch', 'container docker'],
    ['/usr/bin/podman run -i mcp/fetch', 'container podman'],
    ['C:\\Docker\\docker.exe run -i mcp/fetch', 'container docker'],
    ['nerdctl exec -i box server', 'container nerdctl'],
    ['docker-compose run -T server', 'container docker-compose'],
    ['sudo -n docker run -i mcp/fetch', 'container docker'],
    ['env TOKEN=x timeout 60 docker run -i mcp/fetch', 'container docker'],
    ['cmd /c docker run -i mcp/fetch', 'container docker'],
    ['ssh -T host mcp-server', 'other machine ssh'],
    ['wsl.exe node server.js', 'other machine wsl'],
    ['kubectl -n tools exec -i pod -- mcp-server', 'other machine kubectl'],
    ['npx -y mcp-remote@latest https://mcp.example.com/mcp', 'remote server mcp-remote'],
    ['cmd /c npx -y mcp-remote https://mcp.example.com/mcp', 'remote server mcp-remote'],
    ['uvx mcp-proxy --transport=streamablehttp http://127.0.0.1:8080/mcp', 'remote server mcp-proxy'],
    ['python -m mcp_proxy https://mcp.example.com/sse', 'remote server mcp-proxy'],
    ['npx -y supergateway --sse=https://mcp.example.com/sse', 'remote server supergateway'],
    ['node /x/node_modules/mcp-remote/dist/proxy.js https://a.example/mcp', 'remote server mcp-remote'],
  ])('%s: %s', (line, expected) => {
    const [command = '', ...args] = line.split(' ');
    const found = outOfReach(command, args);
    expect(`${found?.where} ${found?.program}`).toBe(expected);
  });

  it.each([
    ['cd /srv && exec docker run -i mcp/fetch', 'docker'],
    ['TOKEN=x docker run -i mcp/fetch', 'docker'],
    ["npx mcp-remote 'https://mcp.example.com/mcp'", 'mcp-remote'],
  ])('sees it behind the script of a shell: %s', (script, program) => {
    expect(outOfReach('sh', ['-c', script])?.program).toBe(program);
    expect(outOfReach('/bin/bash', ['-lc', script])?.program).toBe(program);
  });

  it.each([
    'node server.js docker',
    'npx -y @example/mcp-docker',
    'uvx mcp-server-fetch --url https://example.com',
    'npx -y supergateway --stdio server',
    'kubectl proxy',
    'npx -y ssh-mcp-server --host build',
    'python /home/docker/server.py',
    'sh start.sh',
    'node https://mcp.example.com/mcp-remote',
  ])('is nothing for a process of ours: %s', (line) => {
    const [command = '', ...args] = line.split(' ');
    expect(outOfReach(command, args)).toBeUndefined();
  });

  it('tells clients by the short names of their processes, too', () => {
    expect(['docker', 'podman', 'ssh', 'kubectl', 'docker.exe'].every(isClientOfOutOfReach)).toBe(true);
    expect(['node', 'npm exec docker', 'sshd', 'dockerd', 'podman.conf', ''].some(isClientOfOutOfReach)).toBe(
      false,
    );
  });

  it('reads every command line', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('sh', '-c', 'npx', 'env', 'docker', 'A=1', ';', 'cmd', '/c', '--'),
    );
    fc.assert(
      fc.property(word, fc.array(word), (command, args) => {
        expect(['undefined', 'object']).toContain(typeof outOfReach(command, args));
      }),
    );
  });
});
