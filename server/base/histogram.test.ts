import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { Histogram } from './histogram.ts';

it('durations are told as a histogram', async () => {
  const histogram = new Histogram('waiting_seconds', 'Time that guests wait.', [0.1, 1]);
  const atTheDoor = histogram.of({ where: 'door' });
  histogram.of({ where: 'table' })(0.5);
  histogram.of({ where: 'bar' });
  for (const seconds of [0.1, 0.25, 3]) atTheDoor(seconds);
  const registry = new Registry();
  registry.registerMetric(histogram as never);
  expect(await registry.metrics()).toBe(`# HELP waiting_seconds Time that guests wait.
# TYPE waiting_seconds histogram
waiting_seconds_bucket{le="0.1",where="door"} 1
waiting_seconds_bucket{le="1",where="door"} 2
waiting_seconds_bucket{le="+Inf",where="door"} 3
waiting_seconds_sum{where="door"} 3.35
waiting_seconds_count{where="door"} 3
waiting_seconds_bucket{le="0.1",where="table"} 0
waiting_seconds_bucket{le="1",where="table"} 1
waiting_seconds_bucket{le="+Inf",where="table"} 1
waiting_seconds_sum{where="table"} 0.5
waiting_seconds_count{where="table"} 1
`);
  registry.resetMetrics();
  atTheDoor(1);
  expect(await registry.metrics()).toContain(
    'waiting_seconds_sum{where="door"} 1\nwaiting_seconds_count{where="door"} 1\n',
  );
});
