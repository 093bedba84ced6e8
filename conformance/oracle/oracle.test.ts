import type { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProxy } from '../sabotage/proxy.ts';
import { type Reference, startReference } from '../target/reference.ts';
import { connect } from '../verbs/client.ts';
import { type Fault, faults, sabotageOf } from './faults.fixture.ts';
import { type OracleOptions, type OracleReport, runOracle } from './oracle.ts';

let [judged, other]: Reference[] = [];
let agent: Agent;

beforeAll(async () => {
  [judged, other] = await Promise.all([startReference(), startReference()]);
  agent = connect((judged as Reference).target);
});

afterAll(async () => {
  await agent.destroy();
  await Promise.all([judged?.stop(), other?.stop()]);
});

const options = (more: Partial<OracleOptions>): OracleOptions => ({
  judged: (judged as Reference).target,
  other: (other as Reference).target,
  seed: 3,
  budget: 60_000,
  clusterWide: true,
  // Enough for a machine that has much else to do.
  shrinkLimit: 60_000,
  ...more,
});

/** Generated work on one resource of a server with a fault. */
async function lookedAt(fault: Fault, more: Partial<OracleOptions> = {}): Promise<OracleReport> {
  const proxy = await startProxy((judged as Reference).target, agent, sabotageOf(fault));
  try {
    const work = { generators: ['sequences' as const], resources: [fault.resource], sequences: 0, ...more };
    return await runOracle(options({ judged: proxy.target, ...work }));
  } finally {
    await proxy.stop();
  }
}

const sound: Fault = { name: 'none', resource: 'secrets', signature: /./, steps: 0, meddling: {} };

describe('two servers of one make', () => {
  it('are found to be the same, each generator a little', async () => {
    const report = await runOracle(
      options({ resources: ['secrets', 'gauges'], sequences: 5, steps: 20, budget: 6_000 }),
    );
    expect(report.differs).toEqual([]);
    expect(report.broken).toEqual([]);
    expect(report.comparisons).toBeGreaterThan(100);
  }, 60_000);

  it('are the same through a proxy that does nothing', async () => {
    const report = await lookedAt(sound, { budget: 3_000 });
    expect(report.differs).toEqual([]);
  }, 60_000);
});

describe('a server with a fault', () => {
  it.each(faults)(
    'is found out: $name',
    async (fault) => {
      const { differs } = await lookedAt(fault);
      const found = differs.find(({ signature }) => fault.signature.test(signature));
      expect(found, differs.map(({ signature }) => signature).join('\n')).toBeDefined();
      expect(found?.scenario?.steps.length).toBeLessThanOrEqual(fault.steps);
      expect(found?.rules).not.toEqual([]);
      const again = await lookedAt(fault, { scenarios: [found?.scenario].filter((one) => one !== undefined) });
      expect(again.differs.map(({ signature }) => signature)).toContain(found?.signature);
    },
    180_000,
  );

  it('is found out by clients at once: an update forgets the version it is bound to', async () => {
    const fault = faults.find(({ resource }) => resource === 'leases') as Fault;
    const { differs } = await lookedAt(fault, { generators: ['concurrency'], budget: 1 });
    expect(differs.map(({ signature }) => signature)).toContain('clients at once: optimistic locking loses no update');
  }, 60_000);
});
