import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../stories/test-server.fixture.ts';
import { cuesOf } from './scenario.ts';

const path = '/touchstone/faults';
const maps = '/api/v1/namespaces/default/configmaps';
let server: TestServer;

beforeEach(async () => {
  server = await startTestServer({ faults: true });
});
afterEach(() => server.stop());

const yaml = `
seed: 7
steps:
  - { fault: fail, code: 503, chance: 0.5, times: 0, match: { resource: configmaps } }
  - { after: 10m, fault: expire }
  - { after: 1h30m, fault: fail, code: 429, retryAfter: 1, match: { path: /version } }
`;

const codes = async (count: number) => {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push((await server.get(maps)).status);
  return all;
};

describe('a scenario', () => {
  it('is YAML, happens by the server’s clock, and makes the same choices for the same seed', async () => {
    expect(await server.call('POST', path, { body: yaml, type: 'application/yaml' })).toMatchObject({ status: 201 });
    const first = await codes(40);
    expect(first.filter((code) => code === 503).length).toBeGreaterThan(5);
    expect(first.filter((code) => code === 200).length).toBeGreaterThan(5);
    expect((await server.get(path)).body.steps).toBe(2);
    await server.clock.advance('10m');
    await expect.poll(() => server.faults.log.at(-1)?.fault).toBe('expire');
    expect((await server.get('/version')).status).toBe(200);
    await server.clock.advance('1h30m');
    await expect.poll(async () => (await server.get('/version')).status).toBe(429);
    await server.delete(path);
    await server.call('POST', path, { body: yaml });
    expect(await codes(40)).toEqual(first);
    await server.call('POST', path, { body: yaml.replace('seed: 7', 'seed: 8') });
    server.faults.clear();
    await server.call('POST', path, { body: yaml.replace('seed: 7', 'seed: 8') });
    expect(await codes(40)).not.toEqual(first);
  });

  it('repeats, and ends when it is taken back', async () => {
    await server.faults.play({ repeat: 3, steps: [{ fault: 'expire' }] });
    expect(server.faults.log.map(({ fault }) => fault)).toEqual(['expire', 'expire', 'expire']);
    const playing = server.faults.play({ steps: [{ after: '1h', fault: 'expire' }] });
    server.faults.clear();
    await server.clock.advance('1h');
    await playing;
    expect(server.faults.log).toHaveLength(3);
    expect(server.faults.steps).toBe(0);
  });

  it.each([
    [{ steps: [] }, 'a list of 1 to 1000'],
    [{ steps: {} }, 'a list of 1 to 1000'],
    [{ steps: [null] }, 'a step is an object'],
    [{ steps: [{ fault: 'explode' }] }, 'there is no fault "explode"'],
    [{ steps: [{ fault: 'expire', after: 'later' }] }, 'after must be a duration'],
    [{ steps: [{ fault: 'expire', after: '-1s' }] }, 'after must be a duration'],
    [{ steps: [{ fault: 'expire' }], seed: 1.5 }, 'seed must be a whole number'],
    [{ steps: [{ fault: 'expire' }], repeat: 0 }, 'repeat must be'],
    [{ steps: [{ fault: 'expire' }], repeat: 1e9 }, 'repeat must be'],
    [{ steps: [{ fault: 'expire' }], colour: 'red' }, 'a scenario knows no colour'],
  ])('refuses %j before anything happens', async (scenario, message) => {
    expect(() => cuesOf(scenario)).toThrow(message);
    const { status, body } = await server.post(path, scenario);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    expect(server.faults.log).toEqual([]);
  });
});
