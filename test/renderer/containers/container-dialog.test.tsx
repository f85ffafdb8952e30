// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ContainerDialog } from '../../../renderer/containers/container-dialog.tsx';
import { containerCommand, moveCommand } from '../../../renderer/commands/container-commands.ts';
import { inContainer, type PackageEngine } from '../../../shared/container-entry.ts';
import type { RunOn } from '../../../shared/panel-settings.ts';
import { aServer } from '../builders.ts';
import { box, press, showView } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

const files = {
  command: 'npx',
  args: ['-y', 'mcp-files', '/data', '/notes'],
  env: { TOKEN: '${secret:token}' },
  cwd: '/home/me',
};
const target = 'npx -y mcp-files /data /notes';

/** Services with one server, and what the window asked to write. */
function given(
  entry: object = files,
  engines: readonly PackageEngine[] = ['docker', 'podman'],
  places: RunOn[] = [],
) {
  const written: unknown[] = [];
  const services = servicesWith(
    {
      getEntry: () => Promise.resolve({ entry: { ...entry } }),
      getContainerNeeds: () => Promise.resolve({ version: '1.2.3', paths: ['/data', '/notes'], places }),
      putServer: (...args) => Promise.resolve(void written.push(args)),
    },
    { servers: [aServer('files', { target })] },
  );
  services.panel.setState({ engines });
  return { services, written };
}

async function open(...options: Parameters<typeof given>) {
  const { services, written } = given(...options);
  const isMove = options[2] !== undefined;
  await showView(services, <ContainerDialog server="files" isMove={isMove} />);
  return { services, written };
}

describe('the dialog of a container', () => {
  it('shares what the server was pointed at, for reading, and pins the installed version', async () => {
    const { services, written } = await open();
    expect([box('/data').checked, box('May write to /data').checked]).toEqual([true, false]);
    expect(screen.getByText('/home/me').tagName).toBe('CODE');
    await press('Run in a container');
    const folders = ['/data', '/notes'].map((path) => ({ path, isWritable: false }));
    const choice = { engine: 'docker' as const, server: 'files', version: '1.2.3', folders };
    expect(written).toEqual([
      [{ ...inContainer(files, choice), name: 'files' }, { basedOn: { name: 'files', entry: files } }],
    ]);
    expect(JSON.stringify(inContainer(files, choice)?.args)).not.toContain('secret');
    expect(services.manage.state.getState().dialog).toBeUndefined();
  });

  it('writes what the person chose, and undoes it', async () => {
    const { services, written } = await open();
    fireEvent.click(screen.getByRole('radio', { name: 'podman' }));
    fireEvent.click(box('/notes'));
    fireEvent.click(box('May write to /data'));
    fireEvent.change(screen.getByRole('textbox', { name: 'Another path' }), { target: { value: '/srv/x' } });
    fireEvent.click(screen.getByRole('button', { name: 'Add the path' }));
    expect(box('/srv/x').checked).toBe(true);
    await press('Run in a container');
    const folders = [
      { path: '/data', isWritable: true },
      { path: '/srv/x', isWritable: false },
    ];
    const after = inContainer(files, { engine: 'podman', server: 'files', version: '1.2.3', folders });
    expect(written).toMatchObject([[after, {}]]);
    const { note } = services.manage.state.getState();
    expect(note).toMatchObject({ kind: 'done', words: 'Changed files to run in podman.' });
    await act(async () => note?.kind === 'done' && (await note.undo?.()));
    expect(written[1]).toEqual([{ ...files, name: 'files' }, { basedOn: { name: 'files', entry: after } }]);
  });

  it('takes no path that the engine would read otherwise', async () => {
    await open(files, ['docker']);
    expect(screen.queryByRole('radio', { name: 'docker' })).toBeNull();
    fireEvent.change(screen.getByRole('textbox', { name: 'Another path' }), { target: { value: '/a,b' } });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add the path' }).disabled).toBe(true);
  });
});

describe('the dialog of a move', () => {
  const far: RunOn = { engine: 'docker', context: 'far' };
  const other: RunOn = { engine: 'docker', host: 'ssh://me@other' };

  it('moves a package to a known engine, tells what stays and what is sent, and undoes it', async () => {
    const { services, written } = await open(files, ['docker'], [far, other]);
    expect(screen.getByText(/^Values of TOKEN/)).toBeDefined();
    expect(screen.queryByRole('checkbox', { name: '/data' })).toBeNull();
    fireEvent.change(screen.getByRole('combobox', { name: 'Move to' }), { target: { value: '1' } });
    await press('Move');
    const [[after] = []] = written as [Record<string, unknown>][];
    expect(after).toMatchObject({ command: 'docker', env: files.env, panel: { runOn: other } });
    expect(JSON.stringify(after)).not.toContain('--mount');
    const { note } = services.manage.state.getState();
    expect(note).toMatchObject({ kind: 'done', words: 'Moved files to ssh://other.' });
    await act(async () => note?.kind === 'done' && (await note.undo?.()));
    expect(written[1]).toMatchObject([{ ...files, name: 'files' }, {}]);
  });

  it('takes an address where no engine is known, and nothing that is none', async () => {
    const { written } = await open(files, [], []);
    const move = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Move' });
    const field = screen.getByRole('textbox', { name: 'Address of its Docker' });
    fireEvent.change(field, { target: { value: 'far' } });
    expect(move().disabled).toBe(true);
    fireEvent.change(field, { target: { value: ' ssh://me@far ' } });
    await press('Move');
    const runOn = { engine: 'docker', host: 'ssh://me@far' };
    expect(written).toMatchObject([[{ panel: { runOn } }, {}]]);
  });

  it('offers this machine to a server elsewhere, in a container with files of this machine', async () => {
    const args = ['run', '-i', 'mcp/files'];
    const { written } = await open(
      { command: 'docker', args, panel: { runOn: far } },
      ['docker'],
      [far, other],
    );
    const offered = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(offered).toEqual(['This machine', 'ssh://other', 'Another address']);
    fireEvent.click(box('/data'));
    await press('Move');
    expect(written).toMatchObject([[{ command: 'docker', name: 'files' }, {}]]);
    expect(JSON.stringify(written[0])).not.toContain('ssh');
  });

  it('is offered to packages and containers alone', () => {
    const menu = (line: string) => moveCommand.menu(aServer('one', { target: line }));
    expect(menu('npx -y mcp-files')).toBe('Move to another engine…');
    expect(menu('docker run -i mcp/a')).toBe('Move to another engine…');
    expect(menu('node server.js')).toBeUndefined();
  });
});

describe('the command for a container', () => {
  it('is there for a package where an engine is, and leads to the dialog', async () => {
    const { services } = given();
    const server = aServer('files', { target });
    expect(containerCommand.menu(server, services)).toBe('Run in a container…');
    await containerCommand.run(services, 'files');
    expect(services.manage.state.getState().dialog).toEqual({ kind: 'contain', server: 'files' });
    expect(containerCommand.menu(aServer('own', { target: 'node server.js' }), services)).toBeUndefined();
    services.panel.setState({ engines: [] });
    expect(containerCommand.name(server, services)).toBeUndefined();
  });

  it('leads back to a process, whatever the engines', async () => {
    const choice = { engine: 'docker' as const, server: 'files', version: undefined, folders: [] };
    const after = inContainer(files, choice) ?? files;
    const { services, written } = given(after, []);
    const server = aServer('files', { target: [after.command, ...after.args].join(' ') });
    services.panel.setState({ servers: new Map([['files', server]]) });
    expect(containerCommand.menu(server, services)).toBe('Run as a process again');
    await act(async () => containerCommand.run(services, 'files'));
    expect(written).toEqual([[{ ...files, name: 'files' }, { basedOn: { name: 'files', entry: after } }]]);
  });
});
