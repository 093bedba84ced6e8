import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../base/time/manual-timers.fixture.ts';
import type { Exchange } from './exchange.ts';
import { Health, within } from './health.ts';
import { Life } from './life.ts';
import { Query } from './query.ts';

const good = { name: 'good', check: () => {} };
const bad = { name: 'bad', check: () => Promise.reject(new Error('a secret reason')) };
const asking = (query: string) => ({ query: new Query(query) }) as Exchange;

describe('a health endpoint', () => {
  const health = new Health({ healthz: [good], livez: [good, bad], readyz: [] });
  const ask = async (endpoint: 'healthz' | 'livez' | 'readyz', query = '', name?: string) =>
    health.answer(endpoint, name, asking(query));

  it('says ok, or all it knows when asked to', async () => {
    expect(await ask('healthz')).toMatchObject({ code: 200, body: 'ok' });
    expect(await ask('healthz', 'verbose')).toMatchObject({ code: 200, body: '[+]good ok\nhealthz check passed\n' });
    expect(await ask('readyz', 'verbose')).toMatchObject({ code: 200, body: '\nreadyz check passed\n' });
  });

  it('names what failed but not why', async () => {
    const answer = await ask('livez');
    expect(answer?.code).toBe(500);
    expect(answer?.body).toBe('[+]good ok\n[-]bad failed: reason withheld\nlivez check failed\n');
  });

  it('passes over what is excluded, and warns of what it does not know', async () => {
    expect(await ask('livez', 'exclude=bad')).toMatchObject({ code: 200, body: 'ok' });
    const answer = await ask('livez', 'verbose&exclude=bad&exclude=none');
    expect(answer?.body).toContain('[+]bad excluded: ok');
    expect(answer?.body).toContain('warn: some health checks cannot be excluded: no matches for "none"');
  });

  it('answers for single checks', async () => {
    expect(await ask('livez', '', 'good')).toMatchObject({ code: 200, body: 'ok' });
    expect(await ask('livez', '', 'bad')).toMatchObject({ code: 500 });
    expect(await ask('livez', '', 'unheard')).toBeUndefined();
  });

  it('does not wait for ever for a check, nor for one after the other', async () => {
    const timers = new ManualTimers();
    const silent = (name: string) => within(timers, 2000, { name, check: () => new Promise<void>(() => {}) });
    const health = new Health({ healthz: [], livez: [], readyz: [silent('one'), good, silent('other')] });
    const answer = health.answer('readyz', undefined, asking(''));
    timers.advance(1999);
    timers.advance(1);
    expect((await answer)?.body).toBe(
      '[-]one failed: reason withheld\n[+]good ok\n[-]other failed: reason withheld\nreadyz check failed\n',
    );
  });

  it('has a path for each of them', () => {
    expect(health.paths()).toEqual(['/healthz', '/healthz/good', '/livez', '/livez/good', '/livez/bad', '/readyz']);
  });
});

function fails(check: () => unknown): boolean {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}

describe('the life of a server', () => {
  it('is no failure within the grace period, and one after it until the server serves', () => {
    let now = 1000;
    const life = new Life(500, { now: () => now }, new ManualTimers());
    const failing = () => life.started.filter(({ check }) => fails(check)).map(({ name }) => name);
    expect(failing()).toEqual([]);
    now = 1501;
    expect(failing()).toEqual(life.started.map(({ name }) => name));
    for (const part of ['admission', 'objects', 'fairness', 'kinds', 'apiServices'] as const) life.reached(part);
    expect(failing()).toEqual([
      'poststarthook/start-apiextensions-informers',
      'poststarthook/start-apiextensions-controllers',
      'poststarthook/crd-informer-synced',
      'poststarthook/apiservice-openapi-controller',
      'poststarthook/apiservice-openapiv3-controller',
    ]);
    life.reached('customResources');
    life.begin();
    expect(failing()).toEqual([]);
  });

  it('ends with a notice', async () => {
    const timers = new ManualTimers();
    const life = new Life(0, { now: () => 0 }, timers);
    life.begin();
    expect(() => life.notStopping.check()).not.toThrow();
    let ended = false;
    const ending = life.end(3000).then(() => {
      ended = true;
    });
    expect(() => life.notStopping.check()).toThrow('stopping');
    timers.advance(2999);
    await Promise.resolve();
    expect(ended).toBe(false);
    timers.advance(1);
    await ending;
    expect(fails(life.notStopping.check)).toBe(true);
  });
});
