import { beforeEach, describe, expect, it } from 'vitest';
import { ConfigReports } from '../../../electron/core/config/config-reports.ts';
import { emptyConfig } from '../../../electron/core/config/loaded-config.ts';

const path = '/home/ada/servers.json';
let events: [string | null, string, Record<string, unknown>][];
let lines: string[];
let reports: ConfigReports;

beforeEach(() => {
  events = [];
  lines = [];
  reports = new ConfigReports({
    path,
    journal: { append: (server, kind, detail) => void events.push([server, kind, detail]) },
    notice: (line) => lines.push(line),
  });
});

const broken = { ...emptyConfig, error: { message: 'a comma is missing', line: 3, column: 7 } };

describe('what is wrong with servers.json', () => {
  it('is an event and a line with the place, once, and again after it was well', () => {
    reports.loaded(broken);
    reports.loaded(broken);
    expect(events).toEqual([
      [null, 'config-rejected', { path, message: 'a comma is missing', line: 3, column: 7 }],
    ]);
    expect(lines).toEqual([`${path}:3:7: a comma is missing`]);
    reports.loaded(emptyConfig);
    reports.loaded(broken);
    expect(lines).toHaveLength(2);
  });

  it('has no place where the whole file is meant', () => {
    reports.loaded({ ...emptyConfig, error: { message: 'it is gone' } });
    expect(lines).toEqual([`${path}: it is gone`]);
  });

  it('is told of each unknown key once', () => {
    reports.loaded({ ...emptyConfig, notices: ['a: "arg" is read by nothing'] });
    reports.loaded({
      ...emptyConfig,
      notices: ['a: "arg" is read by nothing', 'b: "envs" is read by nothing'],
    });
    expect(lines).toEqual([`${path}: a: "arg" is read by nothing`, `${path}: b: "envs" is read by nothing`]);
  });

  it('stands in the status for the window', () => {
    expect(reports.status(undefined)).toEqual({ path });
    expect(reports.status(broken.error)).toEqual({ path, error: broken.error });
  });
});
