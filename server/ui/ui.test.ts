import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quickestOf } from '../../fixtures/quickest.fixture.ts';
import { startTestServer, type TestServer } from '../stories/test-server.fixture.ts';
import { BrowserPage, hasChromium } from './chromium.fixture.ts';
import { uiPath } from './ui.ts';

const maps = '/api/v1/namespaces/default/configmaps';
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ ui: true, faults: true });
});
afterAll(() => server.stop());

describe('the page’s files', () => {
  it('are for anybody, hold no token, and may call nobody else', async () => {
    const { status, headers, text } = await server.call('GET', uiPath, { headers: { authorization: '' } });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).not.toContain(server.adminToken);
    expect((await server.call('GET', `${uiPath}../../api`, { headers: { authorization: '' } })).status).toBe(403);
    expect((await server.call('POST', uiPath, { body: {} })).status).not.toBe(200);
  });

  it('are not there unless asked for', async () => {
    await using plain = await startTestServer();
    expect((await plain.get(uiPath)).status).toBe(404);
    expect((await plain.get('/touchstone/activity')).status).toBe(404);
    await plain.stop();
  });

  it('are for this machine alone', async () => {
    await expect(startTestServer({ ui: true, bindAddress: '0.0.0.0' })).rejects.toThrow(
      '--ui is for this machine alone',
    );
  });
});

describe('what goes on', () => {
  it('is told to administrators: requests, without their credentials, and open watches', async () => {
    const stop = new AbortController();
    const events = server.watch(`${maps}?watch=true`, stop.signal);
    const first = events.next().catch(() => undefined);
    await server.get(`${maps}/nothing`, { 'user-agent': 'somebody' });
    const asked = expect.objectContaining({ code: 404, verb: 'get', url: `${maps}/nothing`, userAgent: 'somebody' });
    await expect.poll(async () => (await server.get('/touchstone/activity')).body.requests).toContainEqual(asked);
    const { text, body } = await server.get('/touchstone/activity');
    expect(text).not.toContain(server.adminToken);
    expect(body.watches).toMatchObject([
      { url: `${maps}?watch=true`, user: 'touchstone-admin', behind: { changes: 0, bytes: 0 } },
    ]);
    stop.abort();
    await first;
    await expect.poll(async () => (await server.get('/touchstone/activity')).body.watches).toEqual([]);
    const anonymous = await server.call('GET', '/touchstone/activity', { headers: { authorization: '' } });
    expect(anonymous.status).toBe(403);
  });
});

describe.runIf(hasChromium)('in a browser', () => {
  let page: BrowserPage;

  beforeAll(async () => {
    page = await BrowserPage.open(`${server.url}${uiPath}#token=${server.adminToken}`);
  });
  afterAll(() => page.close());

  const focused = () => page.value<string>('document.activeElement.id');
  const rows = (grid: string) =>
    page.value<string[]>(`[...document.querySelectorAll("#${grid} .inner .row")].map((row) => row.innerText)`);
  const detail = () => page.value<string>('document.getElementById("detail").innerText');
  /** What a screen reader reads of the grid in which the focus is. */
  const active = () =>
    page.value<string>(
      'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.innerText ?? ""',
    );
  const tabTo = async (id: string) => {
    for (let tries = 0; tries < 30 && (await focused()) !== id; tries++) await page.press('Tab');
    expect(await focused()).toBe(id);
  };

  it('logs in, and takes the token out of the address', async () => {
    const state = () => page.value('document.getElementById("state").textContent');
    await expect.poll(state, { timeout: 20_000 }).toBe('live');
    expect(await page.value('location.href')).toBe(`${server.url}${uiPath}`);
    expect(await page.value('document.getElementById("login").checkVisibility()')).toBe(false);
  });

  it('shows objects as they come, change and go, and who owns their fields, by keyboard alone', async () => {
    await tabTo('kind');
    await page.type('ConfigMap');
    await page.value(`{ const kind = document.getElementById('kind');
      kind.value = '/api/v1/configmaps'; kind.dispatchEvent(new Event('change')); }`);
    await tabTo('filter');
    await page.type('default/');
    await expect.poll(() => rows('object-grid')).toEqual([]);
    await server.post(maps, { metadata: { name: 'shown' }, data: { colour: 'red' } });
    await expect.poll(() => rows('object-grid')).toEqual([expect.stringContaining('shown')]);
    await tabTo('object-grid');
    await page.press('ArrowDown');
    await page.press('Enter');
    await expect.poll(detail).toMatch(/colour: red/);
    expect(await detail()).toMatch(/\(update\)\s+data:\s+colour: red/);
    await server.patch(`${maps}/shown`, { data: { colour: 'blue' } }, 'application/merge-patch+json');
    await expect.poll(detail).toMatch(/colour: blue/);
    await server.delete(`${maps}/shown`);
    await expect.poll(detail).toContain('It was deleted.');
  });

  it('shows what is chosen by a key in one place, and Escape leads back', async () => {
    await server.post(maps, { metadata: { name: 'read' }, data: { text: '<img src=x onerror="window.broken=1">' } });
    await expect.poll(() => rows('object-grid')).toEqual([expect.stringContaining('read')]);
    await page.press('Escape');
    expect(await focused()).toBe('object-grid');
    await page.press('ArrowDown');
    await expect.poll(active).toMatch(/read/);
    await page.press('Enter');
    expect(await focused()).toBe('detail');
    await expect.poll(detail).toContain('<img src=x');
    expect(await page.value('document.querySelectorAll("#detail img").length')).toBe(0);
    expect(await page.value('window.broken ?? 0')).toBe(0);
    await server.delete(`${maps}/read`);
  });

  it('shows a change within 100 ms of the answer', async () => {
    const showing = quickestOf(5, async (n) => {
      const seen = page.value<number>(`new Promise((resolve) => {
        const look = () => document.querySelector("#object-grid").innerText.includes("quick-${n}") && resolve(Date.now());
        new MutationObserver(look).observe(document.querySelector("#object-grid"), { childList: true, subtree: true });
        look();
      })`);
      await server.post(maps, { metadata: { name: `quick-${n}` } });
      const answered = Date.now();
      return (await seen) - answered;
    });
    expect(await showing).toBeLessThan(100);
  });

  it('goes through the views with the arrow keys: requests with curl, watches, faults to press', async () => {
    await page.value('document.getElementById("tab-objects").focus()');
    await page.press('ArrowRight', 2);
    expect(await focused()).toBe('tab-requests');
    await expect.poll(() => rows('request-grid')).not.toEqual([]);
    await tabTo('request-grid');
    await page.press('ArrowDown');
    await page.press('Enter');
    expect(await page.value('document.getElementById("curl").textContent')).toMatch(/^curl --cacert ca\.crt .*'https:/);
    await expect.poll(active).not.toBe('');
    const chosen = await active();
    await server.get(`${maps}/later`, { 'user-agent': '<img src=x onerror="window.broken=1">' });
    await expect.poll(() => rows('request-grid')).toContainEqual(expect.stringContaining(`${maps}/later`));
    expect(await active(), 'stays chosen while others come').toBe(chosen);
    await page.value('document.getElementById("tab-requests").focus()');
    await page.press('ArrowRight');
    await expect
      .poll(() => rows('watch-grid'))
      .toContainEqual(expect.stringContaining('/api/v1/configmaps?watch=true'));
    await page.press('ArrowRight');
    await expect.poll(() => page.value('document.querySelectorAll("#fault-buttons button").length')).toBeGreaterThan(5);
    await page.press('Tab');
    await page.press('Enter');
    await expect.poll(() => server.faults.log.map(({ fault }) => fault)).toContain('expire');
    await expect.poll(() => page.value('document.getElementById("fault-log").innerText')).toContain('expire');
    expect(await page.value('document.getElementById("fault-told").innerText')).toBe('Expire history: done.');
    expect(await page.value('window.broken ?? 0')).toBe(0);
  });

  it('shows how far behind a watch is', async () => {
    await page.value('document.getElementById("tab-watches").click()');
    const stop = new AbortController();
    const events = server.watch(`${maps}?watch=true`, stop.signal);
    const first = events.next().catch(() => undefined);
    const own = (text: string) => expect.stringMatching(new RegExp(`${maps}.watch=true[^]*${text}`));
    await expect.poll(() => rows('watch-grid')).toContainEqual(own('up to date'));
    await server.faults.inject({ fault: 'freezeWatches', match: { namespace: 'default' } });
    await server.post(maps, { metadata: { name: 'unseen' }, data: { text: 'x'.repeat(2000) } });
    await expect.poll(() => rows('watch-grid')).toContainEqual(own('2\\.\\d kB'));
    await server.faults.inject({ fault: 'thawWatches' });
    await expect.poll(() => rows('watch-grid')).toContainEqual(own('up to date'));
    stop.abort();
    await first;
    await server.delete(`${maps}/unseen`);
  });

  it.each([
    [400, 'light'],
    [400, 'dark'],
    [1600, 'light'],
    [1600, 'dark'],
  ] as const)('fits %d pixels, %s', async (width, scheme) => {
    const picture = await page.screenshot(width, scheme);
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    for (const tab of ['objects', 'events', 'requests', 'watches', 'faults']) {
      await page.value(`document.getElementById("tab-${tab}").click()`);
      const widest = `Math.max(...[...document.querySelectorAll("body, header, .bar, main, section:not([hidden])")].map((e) => e.scrollWidth))`;
      expect(await page.value(widest), tab).toBeLessThanOrEqual(width);
    }
    const ground = await page.value<string>('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(scheme === 'dark' ? 'rgb(20, 23, 28)' : 'rgb(255, 255, 255)');
  });

  it('stays smooth with 5,000 objects and 200 changes a second', { timeout: 120_000 }, async () => {
    for (let n = 0; n < 5000; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, i) => server.post(maps, { metadata: { name: `many-${n + i}` } })),
      );
    await page.value('document.getElementById("tab-objects").click()');
    await expect
      .poll(() => page.value('document.getElementById("count").textContent'), { timeout: 20_000 })
      .toMatch(/^50\d\d/);
    expect((await rows('object-grid')).length, 'only rows in sight are made').toBeLessThan(80);
    const frames = page.value<number[]>(`new Promise((resolve) => { const gaps = []; let last = performance.now();
      const next = (now) => { gaps.push(now - last); last = now; gaps.length < 100 ? requestAnimationFrame(next) : resolve(gaps); };
      requestAnimationFrame(next); })`);
    const began = performance.now();
    for (let n = 0; performance.now() - began < 1500; n++) {
      await server.patch(`${maps}/many-${n % 5000}`, { data: { n: String(n) } }, 'application/merge-patch+json');
      const wait = (n + 1) * 5 - (performance.now() - began);
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    }
    const gaps = (await frames).toSorted((a, b) => a - b);
    expect(gaps[50], 'the median frame').toBeLessThan(50);
  });

  it('asks for a token where it has none that holds', async () => {
    await page.value('sessionStorage.setItem("token", "wrong"); location.reload()');
    await expect.poll(focused).toBe('token');
    expect(await page.value('document.getElementById("state").textContent')).toBe('not logged in');
    await page.type(server.adminToken);
    await page.press('Enter');
    await expect.poll(() => page.value('document.getElementById("state").textContent')).toBe('live');
    expect(await page.value('document.getElementById("login").checkVisibility()')).toBe(false);
  });

  it('has broken nowhere', () => {
    expect(page.errors).toEqual([]);
  });
});
