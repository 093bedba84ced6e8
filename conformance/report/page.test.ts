import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { BrowserPage, hasChromium } from '../../server/ui/chromium.fixture.ts';
import { htmlReport } from './html.ts';
import { failing, passing, reportOf, result } from './report.fixture.ts';

/** What is told of it has no place to break a line at. */
const long = { ...passing, warnings: ['x'.repeat(300)] };

const report = {
  ...reportOf([{ ...failing, statement: 'A `GET` reads.' }, long]),
  target: 'https://api.a-cluster-with-a-long-name.example.com:6443',
};

// What is made for tests that are all left out is not removed after them.
const folder = hasChromium ? temporaryFolder() : '';

describe.runIf(hasChromium)('the report in a browser', () => {
  let page: BrowserPage;
  const text = (selector: string) =>
    page.value<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`);

  beforeAll(async () => {
    const file = join(folder, 'report.html');
    writeFileSync(file, htmlReport([{ report }]));
    page = await BrowserPage.open(pathToFileURL(file).href);
  });
  afterAll(() => page.close());

  it('lists its rules', async () => {
    const count = () => page.value('document.querySelectorAll("#rules details").length');
    await expect.poll(count, { timeout: 20_000 }).toBe(2);
  });

  it('tells on paper, dark on white, all of what is broken', async () => {
    await page.value("document.documentElement.dataset.theme = 'dark'");
    await page.call('Emulation.setEmulatedMedia', { media: 'print' });
    const printed = `(dispatchEvent(new Event('beforeprint')), document.getElementById('${failing.id}').innerText)`;
    expect(await page.value(printed)).toContain('expected 404 to be 200');
    const [ink, ground] = ['color', 'background-color'].map((name) =>
      page.value<string>(`getComputedStyle(document.body).getPropertyValue('${name}')`),
    );
    expect([await ink, await ground]).toEqual(['rgb(29, 31, 35)', 'rgb(251, 250, 248)']);
    await page.call('Emulation.setEmulatedMedia', { media: '' });
    await page.value(
      "delete document.documentElement.dataset.theme; for (const one of document.querySelectorAll('details')) one.open = false",
    );
  });

  it.each([
    [400, 'light'],
    [400, 'dark'],
    [1_600, 'light'],
    [1_600, 'dark'],
  ] as const)('fits %i pixels, %s', async (width, scheme) => {
    const picture = await page.screenshot(width, scheme);
    expect(picture.length).toBeGreaterThan(1_000);
    const { scrollWidth, clientWidth } = await page.value<{ scrollWidth: number; clientWidth: number }>(
      '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
    );
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  });

  it('fits a phone with a rule opened whose text has no blanks', async () => {
    await page.screenshot(360, 'light');
    await page.value(`document.getElementById('${long.id}').open = true`);
    await expect.poll(() => text(`[id="${long.id}"]`)).toContain('xxx');
    expect(await page.value('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(true);
  });

  it('shows words of the sentence as code', async () => {
    expect(await text(`[id="${failing.id}"] summary code`)).toBe('GET');
  });

  it('is searched and read by keyboard alone', async () => {
    const focused = () =>
      page.value<string>('document.activeElement.id || document.activeElement.closest("details")?.id');
    const tabTo = async (id: string) => {
      for (let tries = 0; tries < 40 && (await focused()) !== id; tries += 1) await page.press('Tab');
      expect(await focused()).toBe(id);
    };
    await tabTo('search');
    await page.type(failing.id);
    await expect.poll(() => text('[role=status]')).toMatch(/^1 rule/);
    await tabTo(failing.id);
    await page.press('Enter');
    await expect.poll(() => text(`[id="${failing.id}"]`)).toContain('404');
  });

  it('has broken nowhere', () => expect(page.errors).toEqual([]));
});

describe.runIf(hasChromium)('the report of a run that knew what is broken in a browser', () => {
  let page: BrowserPage;
  const texts = (selector: string) =>
    page.value<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.innerText)`);

  beforeAll(async () => {
    const put = { ...failing, id: 'verbs.put' };
    const judged = reportOf([passing, failing, put, result('verbs.patch')]);
    const file = join(folder, 'known.html');
    const told = { known: { [put.id]: 'since <May>' }, stale: ['verbs.patch'] };
    writeFileSync(file, htmlReport([{ report: { ...judged, ...told } }]));
    page = await BrowserPage.open(pathToFileURL(file).href);
  });
  afterAll(() => page.close());

  it('counts apart what was known, and what is kept against all expectation', async () => {
    await expect.poll(() => texts('#rules summary strong'), { timeout: 20_000 }).toHaveLength(4);
    expect(await texts('.counts button')).toEqual([
      'fail1',
      'stale1',
      'error0',
      'known1',
      'warn0',
      'skipped0',
      'pass1',
    ]);
    expect(await texts('#rules summary .verdict')).toEqual(['fail', 'stale', 'known', 'pass']);
    expect(await texts('section:not(#expected) details a')).toEqual([failing.id]);
  });

  it('tells the reasons, in the table and at the rule', async () => {
    const rows = await texts('#expected tr');
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['stale', 'verbs.patch', 'kept by now: to be taken off the list'],
      ['known', 'verbs.put', 'since <May>'],
    ]);
    await page.value("document.getElementById('verbs.put').open = true");
    await expect.poll(() => texts('[id="verbs.put"]')).toEqual([expect.stringContaining('known: since <May>')]);
  });

  it('leaves known ones out at a click', async () => {
    await page.value("document.querySelector('.counts .known').click()");
    expect(await texts('#rules summary strong')).not.toContain('verbs.put');
  });
});

describe.runIf(hasChromium)('reports of runs that judged other rules in a browser', () => {
  it('stand side by side: first what they do not agree on, then what only some of them judged', async () => {
    const mended = result(failing.id);
    const one = reportOf([result('verbs.list'), failing, result('verbs.put')]);
    const file = join(folder, 'reports.html');
    writeFileSync(
      file,
      htmlReport([{ report: one }, { name: 'again', report: reportOf([mended, result('verbs.put')]) }]),
    );
    const page = await BrowserPage.open(pathToFileURL(file).href);
    onTestFinished(() => page.close());
    const texts = (selector: string) =>
      page.value<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.innerText)`);
    const titles = () => texts('h2');
    await expect.poll(titles, { timeout: 20_000 }).toContain('Side by side: 1 rule told apart, 1 only in some');
    expect(await texts('section th[scope=row] a')).toEqual([failing.id, 'verbs.list']);
  });
});
