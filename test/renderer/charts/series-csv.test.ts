import { describe, expect, it } from 'vitest';
import type { Series } from '../../../shared/history.ts';
import { aReply, aSeries } from '../builders.ts';
import { seriesCsv } from '../../../renderer/charts/series-csv.ts';

const series = (server: string, metric: Series['metric'], index: number[], figure: number): Series => {
  const avg = index.map(() => figure);
  return aSeries(server, metric, index, avg, { max: avg.map((one) => one * 2) });
};

const reply = (...all: Series[]) =>
  aReply({ from: Date.UTC(2026, 8, 1, 20, 40), to: Date.UTC(2026, 8, 1, 20, 43), series: all });

describe('figures as CSV', () => {
  it('have a line for each server and time with any figure, units in the head, and nothing where nothing was measured', () => {
    const csv = seriesCsv(
      reply(
        series('browser', 'memoryBytes', [0, 2], 1024),
        series('browser', 'cpuPercent', [2], 1.23456),
        series('say "hi", you', 'memoryBytes', [1], 5),
      ),
      ['memoryBytes', 'cpuPercent'],
    );
    expect(csv.split('\r\n')).toEqual([
      'time,server,average memory (bytes),peak memory (bytes),average CPU (% of one core),peak CPU (% of one core)',
      '2026-09-01T20:40:00.000Z,browser,1024,2048,,',
      '2026-09-01T20:42:00.000Z,browser,1024,2048,1.235,2.469',
      '2026-09-01T20:41:00.000Z,"say ""hi"", you",5,10,,',
      '',
    ]);
  });

  it('are a head alone without figures', () => {
    expect(seriesCsv(reply(), ['rttMs'])).toBe(
      'time,server,average round trip (ms),peak round trip (ms)\r\n',
    );
  });
});
