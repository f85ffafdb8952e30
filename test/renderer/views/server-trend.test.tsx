import { expect, it } from 'vitest';
import { ServerPage } from '../../../renderer/views/server-page.tsx';
import { trendWords } from '../../../renderer/format/figures.ts';
import type { Trend } from '../../../shared/trend.ts';
import { aServer } from '../builders.ts';
import { render } from '../render-view.tsx';

const trend: Trend = {
  perDayBytes: 90 * 1024 ** 2,
  since: Date.UTC(2026, 10, 17, 12),
  confidence: 'clear',
  bestHour: { hour: 3, quietDays: 28, days: 30 },
};
const pageOf = (parts: { trend?: Trend }) =>
  render(<ServerPage name="one" tab="overview" />, { servers: [aServer('one', parts)] });

it("a server's page says the trend of its memory and the best hour to restart, above its charts", () => {
  const page = pageOf({ trend });
  const at = page.indexOf(trendWords(trend));
  expect(at).toBeGreaterThan(0);
  expect(page).toContain('best hour to restart: 03:00, nobody called then on 28 of 30 days.');
  expect(page.indexOf('aria-label="Memory of one"')).toBeGreaterThan(at);
});

it("a server's page says nothing of a trend where there is none", () => {
  expect(pageOf({})).not.toContain('Trend of one');
});
