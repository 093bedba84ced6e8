import { expect, it } from 'vitest';
import { startFakeServer, type Whim } from '../../fake-server.fixture.ts';
import type { Json } from '../../verbs/client.ts';
import { play } from './play.ts';
import { openSide } from './side.ts';

/** A list of one object, after which others may have more that does not match. */
const listed =
  (pages: readonly Json[]): Whim =>
  ({ path, query }, response) => {
    if (!path.endsWith('/gauges')) return false;
    const metadata = pages[Number(query.get('continue') ?? 0)];
    const items = query.has('continue') ? [] : [{ metadata: { name: 'one' } }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'GaugeList', metadata: { resourceVersion: '1', ...metadata }, items }));
    return true;
  };

async function walkedOn(pages: readonly Json[]): Promise<string> {
  const server = await startFakeServer(listed(pages));
  const side = openSide('judged', { url: server.url }, { run: 'r', stopped: new AbortController().signal });
  const step = { id: 's1', what: 'list', method: 'GET', path: '/apis/g/v1/gauges', query: { limit: '1' }, walk: true };
  try {
    const scenario = { name: 'pages', generator: 'sequences', namespaces: 0, steps: [step] };
    const { observations } = await play(side, scenario, 'tabc00001', { quiet: 0, mark: 0 });
    return observations.map(({ bytes }) => bytes.toString('utf8')).join();
  } finally {
    await side.close();
    await server.stop();
  }
}

it('pages that are followed to their end tell nothing of what others have behind them', async () => {
  const alone = await walkedOn([{ continue: '' }]);
  expect(alone).toContain('"one"');
  expect(await walkedOn([{ continue: '1', remainingItemCount: 3 }, { continue: '' }])).toBe(alone);
});
