/** An engine of any number of containers on the socket of the first argument, which sends a frame of figures a second for each. */
import { createServer } from 'node:http';
import { play } from '../harness/played.ts';

const perCpu = Array.from({ length: 16 }, (_, at) => 1e9 + at);
const memory = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`figure_of_memory_${at}`, 1e6 + at]),
);
const frame = (second: number) => ({
  read: new Date(second * 1000).toISOString(),
  blkio_stats: { io_service_bytes_recursive: [] },
  num_procs: 0,
  cpu_stats: {
    cpu_usage: { total_usage: second * 5e6, percpu_usage: perCpu },
    throttling_data: { throttled_periods: 0 },
  },
  precpu_stats: { cpu_usage: { total_usage: second * 5e6, percpu_usage: perCpu } },
  memory_stats: { usage: 3e6, stats: { ...memory, inactive_file: 1e6 } },
  pids_stats: { current: 7 },
});

let asked = 0;
const server = createServer(({ url = '' }, response) => {
  asked += 1;
  const [what] = (url.split('/').at(-1) ?? '').split('?');
  if (what === 'json') return void response.end(JSON.stringify({ State: { Running: true } }));
  if (what === 'top') return void response.end(JSON.stringify({ Processes: [[]] }));
  if (what === 'events') return response.flushHeaders();
  if (what !== 'stats') return void response.end('OK');
  let second = 1;
  const timer = setInterval(() => response.write(`${JSON.stringify(frame((second += 1)))}\n`), 1000);
  response.once('close', () => clearInterval(timer)).flushHeaders();
});
const [, , path = ''] = process.argv;
server.listen(path, () => play(path, () => asked));
