import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circles, importsOf, sourceFiles, type Import } from './import-graph.ts';

/**
 * Floors of each room, the highest first: each entry is a folder or a file right below it. An import points
 * down, or to the side where it makes no circle. Types count because a floor that names the types of a higher
 * one cannot be understood, tested or moved without it. Why, and what to do about an arrow up:
 * docs/decisions/0027.
 */
const floorsOf: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'electron/core': [
    ['agree.ts', 'count-imports.ts', 'headless.ts', 'quit.ts', 'restore-clients.ts', 'terminal.ts'],
    ['panel', 'bridge'],
    ['diagnostics'],
    ['doorkeeper'],
    ['gateway-client'],
    ['gateway'],
    ['approval', 'alerts', 'left-behind'],
    ['sessions', 'sign-in'],
    ['supervisor'],
    ['mcp'],
    ['story'],
    ['telemetry', 'journal', 'logs', 'store'],
    ['trends'],
    ['consent', 'secrets'],
    ['config', 'settings'],
    ['files'],
    ['platform'],
    [
      'absence.ts',
      'after-input.ts',
      'clock.ts',
      'deadline.ts',
      'deferred.ts',
      'dispose-stack.ts',
      'current-task.ts',
      'emitter.ts',
      'errno.ts',
      'map-in-turns.ts',
      'next-turn.ts',
      'notices.ts',
      'open-map.ts',
      'phrases.ts',
      'read-in-turns.ts',
      'read-pace.ts',
      'free-memory.ts',
      'wait-times.ts',
      'serial-queue.ts',
      'start-problem.ts',
      'wait.ts',
      'worker-like.ts',
    ],
  ],
  'electron/shell': [
    ['main.ts'],
    ['panel-host.ts'],
    ['app-calls.ts'],
    ['ipc', 'notifications', 'tray', 'window'],
    ['updates'],
    ['app'],
    ['icons'],
  ],
  renderer: [
    ['main.tsx', 'theme.ts'],
    ['app.tsx', 'create-services.ts', 'readable-api.ts', 'view-table.tsx'],
    ['views'],
    ['compare', 'containers', 'usage', 'restarts'],
    ['events', 'overview', 'palette-commands'],
    [
      'charts',
      'diagnostics',
      'editor',
      'import',
      'inspector',
      'logs',
      'processes',
      'sessions',
      'clients',
      'consent',
    ],
    ['commands', 'settings', 'shortcuts', 'secrets', 'sign-in'],
    ['services.ts'],
    ['store'],
    ['entry', 'offer'],
    ['forms'],
    ['ui'],
    ['format'],
    ['control-panel.ts', 'palette.ts', 'styles'],
  ],
};

/**
 * Exceptions: arrows that are let through, each with its reason. The list only shrinks: an entry that no
 * import needs any more fails the test, and a new wrong arrow is mended, not entered.
 */
const exceptions: readonly { readonly arrow: `${string} → ${string}`; readonly why: string }[] = [
  {
    arrow:
      'electron/core/supervisor/run/test-connection.ts → electron/core/supervisor/server-supervisor-deps.ts',
    why: 'It takes a part of what a supervisor is given, whose type names the runs.',
  },
];

const root = resolve(import.meta.dirname, '../..');
const imports = ['shared', 'electron', 'renderer']
  .flatMap((folder) => sourceFiles(root, folder))
  .flatMap((file) => importsOf(root, file))
  .filter(({ isOurs, to }) => isOurs && /\.tsx?$/.test(to));

const arrowOf = ({ from, to }: Import): string => `${from} → ${to}`;
const excepted = new Set<string>(exceptions.map(({ arrow }) => arrow));
const held = imports.filter((one) => !excepted.has(arrowOf(one)));

/** Folder or file right below `room` that holds `path`; undefined outside it. */
function partOf(room: string, path: string): string | undefined {
  return path.startsWith(`${room}/`) ? path.slice(room.length + 1).split('/')[0] : undefined;
}

/** Edges between the parts of one room, without those inside a part. */
function edgesBetweenParts(room: string): { from: string; to: string }[] {
  return held.flatMap(({ from, to }) => {
    const [fromPart, toPart] = [partOf(room, from), partOf(room, to)];
    const crosses = fromPart !== undefined && toPart !== undefined && fromPart !== toPart;
    return crosses ? [{ from: fromPart, to: toPart }] : [];
  });
}

/** Folders on the way to a file that imports something. */
const rooms = [
  ...new Set(
    imports.flatMap(({ from }) => {
      const folders = from.split('/').slice(0, -1);
      return folders.map((_, index) => folders.slice(0, index + 1).join('/'));
    }),
  ),
].sort();

describe('the floors of a room', () => {
  for (const [room, floors] of Object.entries(floorsOf)) {
    const floorOf = (path: string): number =>
      floors.findIndex((parts) => parts.includes(partOf(room, path)!));

    it(`have a place for everything in ${room}`, () => {
      const inside = sourceFiles(root, room);
      expect(inside.length).toBeGreaterThan(40);
      const homeless = inside.filter((file) => floorOf(file) === -1);
      expect(homeless, 'give it a floor in floorsOf').toEqual([]);
    });

    it(`are not climbed in ${room}: no import points to a higher one`, () => {
      const inside = held.filter(
        ({ from, to }) => partOf(room, from) !== undefined && partOf(room, to) !== undefined,
      );
      expect(inside.length).toBeGreaterThan(40);
      const upward = inside.filter(({ from, to }) => floorOf(to) < floorOf(from)).map(arrowOf);
      expect(upward).toEqual([]);
    });
  }
});

describe('the primitives of the window', () => {
  it('import nothing of ours but words: no store, no service, no view', () => {
    const own = imports.filter(({ from }) => from.startsWith('renderer/ui/'));
    expect(own.length).toBeGreaterThan(10);
    const allowed = /^(renderer\/(ui|format)|shared)\//;
    expect(own.filter(({ to }) => !allowed.test(to)).map(arrowOf)).toEqual([]);
  });
});

describe('the folders and files of the house', () => {
  it('do not import each other in a circle, at any depth, types included', () => {
    expect(rooms).toContain('electron/core/supervisor/remote');
    const found = rooms.flatMap((room) =>
      circles(edgesBetweenParts(room)).map((parts) => `${room}: ${parts.join(', ')}`),
    );
    expect(found).toEqual([]);
  });

  it('hold no value circle, so that modules load in one order', () => {
    const values = imports.filter(({ isTypeOnly }) => !isTypeOnly);
    expect(circles(values)).toEqual([]);
  });

  it('need every exception that is written down', () => {
    const arrows = new Set(imports.map(arrowOf));
    const stale = exceptions.filter(({ arrow }) => !arrows.has(arrow)).map(({ arrow }) => arrow);
    expect(stale, 'take it out of the list: nothing needs it any more').toEqual([]);
  });
});
