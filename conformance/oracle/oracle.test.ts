import { describe, expect, it } from 'vitest';
import { miswriting } from '../corpus/slip.ts';
import { startProxy } from '../sabotage/proxy.ts';
import { replaceIn } from '../sabotage/transforms.ts';
import { asking } from '../target/inspect.ts';
import { startReference } from '../target/reference.ts';
import { sweep } from '../target/sweep.ts';
import { type Fault, faults, sabotageOf } from './faults.fixture.ts';
import { tourScenarios } from './generate/tours/tours.ts';
import { type OracleOptions, type OracleReport, runOracle } from './oracle.ts';
import { kindsOf } from './oracle-kind.ts';
import { openSide } from './play/open-side.ts';
import type { Scenario } from './play/scenario.ts';
import { oracleText } from './report.ts';
import { twoReferences } from './two-references.fixture.ts';

const references = twoReferences();

const options = (more: Partial<OracleOptions>): OracleOptions => ({
  judged: references.judged.target,
  other: references.other.target,
  seed: 3,
  budget: 60_000,
  clusterWide: true,
  // Enough for a machine that has much else to do.
  shrinkLimit: 20_000,
  ...more,
});

/** The tour of a resource in which a fault shows. */
async function toured({ resource, tour }: Fault): Promise<readonly Scenario[]> {
  const side = openSide(references.judged.target, {
    run: 'oracle',
    stopped: new AbortController().signal,
  });
  try {
    const kinds = (await kindsOf(side.client.send)).filter((kind) => kind.resource === resource);
    return [...tourScenarios(kinds, true)].filter(({ name }) => name.startsWith(tour));
  } finally {
    await side.close();
  }
}

/** Generated work on one resource of a server with a fault. */
async function lookedAt(fault: Fault, more: Partial<OracleOptions> = {}): Promise<OracleReport> {
  const proxy = await startProxy(references.judged.target, references.agent, sabotageOf(fault));
  try {
    return await runOracle(options({ judged: proxy.target, resources: [fault.resource], ...more }));
  } finally {
    await proxy.stop();
  }
}

const sound: Fault = { name: 'none', resource: 'secrets', tour: 'changes', signature: /./, steps: 0, meddling: {} };

describe('two servers of one make', () => {
  it('are found to be the same, each generator a little', async () => {
    const report = await runOracle(
      options({ resources: ['secrets', 'gauges'], sequences: 5, steps: 20, budget: 6_000 }),
    );
    expect(report.differs).toEqual([]);
    expect(report.broken).toEqual([]);
    expect(report.comparisons).toBeGreaterThan(100);
  });

  it('are the same in what rules send', async () => {
    const report = await runOracle(options({ generators: ['rules'], budget: 4_000 }));
    expect(report.differs).toEqual([]);
    expect(report.broken).toEqual([]);
    expect(report.comparisons).toBeGreaterThan(100);
  });

  it('are the same through a proxy that does nothing', async () => {
    const report = await lookedAt(sound, { scenarios: await toured(sound) });
    expect(report.differs).toEqual([]);
  });
});

describe('a server with a fault', () => {
  it.each(faults)(
    'is found out: $name',
    async (fault) => {
      const { differs } = await lookedAt(fault, { scenarios: await toured(fault) });
      const found = differs.find(({ signature }) => fault.signature.test(signature));
      expect(found, differs.map(({ signature }) => signature).join('\n')).toBeDefined();
      expect(found?.scenario?.steps.length).toBeLessThanOrEqual(fault.steps);
      expect(found?.rules).not.toEqual([]);
      const again = await lookedAt(fault, {
        scenarios: [found?.scenario].filter((one) => one !== undefined),
        shrinkLimit: 0,
      });
      expect(again.differs.map(({ signature }) => signature)).toContain(found?.signature);
    },
    180_000,
  );

  it('is found out by clients at once: an update forgets the version it is bound to', async () => {
    const fault = faults.find(({ resource }) => resource === 'leases') as Fault;
    const { differs } = await lookedAt(fault, { generators: ['concurrency'], budget: 5_000 });
    expect(differs.map(({ signature }) => signature)).toContain('clients at once: optimistic locking loses no update');
  });
});

it('finds out who looks at no labels where a watch is asked for over a WebSocket', async () => {
  const inSockets = 'isWebSocket(exchange) ? { fieldSelector: parameters.fieldSelector } : {';
  const [from, to] = ['{', inSockets].map((end) => `const selection = selectionOf(call.resource, ${end}`) as [
    string,
    string,
  ];
  const faulty = await startReference([], [miswriting([{ file: 'request/verbs/watch.ts', from, to }])]);
  try {
    const scenarios = await toured({ ...sound, tour: 'streams that end' });
    const report = await runOracle(options({ judged: faulty.target, scenarios, resources: ['secrets'] }));
    // It hears of more, in each form, and reads no selector, be it one or not.
    const [more, ofTables, unread] = [
      'watch secrets: events.length',
      'watch secrets Table: events.length',
      'watch secrets: status 101 for 400',
    ];
    expect(new Set(report.differs.map(({ signature }) => signature))).toEqual(new Set([more, ofTables, unread]));
    for (const { scenario } of report.differs)
      expect(scenario?.steps.at(-1)?.headers).toMatchObject({ upgrade: 'websocket' });
  } finally {
    await faulty.stop();
  }
}, 180_000);

it('names the rule and the request that showed a difference, where no scenario did', async () => {
  const { begin } = replaceIn('odd', { method: 'GET', path: /\/secrets\/[^/]+$/, with: 'word' });
  const found = new AbortController();
  const report = await lookedAt(
    { ...sound, meddling: begin() },
    {
      resources: [],
      generators: ['rules'],
      signal: found.signal,
      onProgress: ({ differing }) => {
        if (differing > 0) found.abort();
      },
    },
  );
  const [first] = report.differs;
  expect(first).toMatchObject({ generator: 'rules', request: { method: 'GET' } });
  expect(first?.differences).toContainEqual({ at: 'odd', seen: 'word', expected: undefined });
  expect(first?.piece.startsWith(first?.rules[0] ?? 'none')).toBe(true);
  expect(oracleText(report)).toMatch(
    /differs {2}get secrets: odd[\s\S]+seen in [a-z.-]+[\s\S]+GET \/api\/v1\/namespaces\//,
  );
});

it('tells of a difference that does not show again', async () => {
  const { begin } = replaceIn('data', { method: 'GET', path: /\/secrets\/[^/]+$/, nth: 1, with: { none: '' } });
  const report = await lookedAt({ ...sound, meddling: begin() }, { scenarios: await toured(sound) });
  expect(report.differs).toEqual([]);
  expect(report.passed).toHaveLength(report.passing);
  expect(report.passed[0]).toMatch(/^get secrets: data.* \(changes of secrets, s\d+\): data.*, where the other says /);
  expect(oracleText(report)).toContain(`did not show again: ${report.passed[0]}`);
});

it('ends when it is told to, and leaves nothing that carries its label', async () => {
  const ending = new AbortController();
  const report = await runOracle(
    options({
      resources: ['secrets', 'gauges', 'clusterroles'],
      run: 'ended',
      signal: ending.signal,
      onProgress: ({ scenarios }) => scenarios > 2 && ending.abort(),
    }),
  );
  expect(report.complete).toBe(false);
  expect(report.left).toEqual([]);
  for (const { target } of [references.judged, references.other])
    await asking(target, async (send) => {
      expect(await sweep(send, { run: 'ended', finalize: true })).toEqual({ removed: [], left: [] });
    });
});

it('ends when a server is gone, and tells what was under way then', async () => {
  const proxy = await startProxy(references.judged.target, references.agent, sabotageOf(sound));
  const report = await runOracle(
    options({
      judged: proxy.target,
      resources: ['secrets'],
      generators: ['sequences'],
      onProgress: ({ scenarios }) => void (scenarios === 1 && proxy.stop()),
    }),
  );
  expect(report.lost).toMatch(/^http:\S+ does not answer any more: .*\. Under way were .* of secrets/);
  expect([report.complete, report.differs, report.broken]).toEqual([false, [], []]);
  expect(oracleText(report)).toContain('until a server was lost');
}, 120_000);
