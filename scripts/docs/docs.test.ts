import { describe, expect, it } from 'vitest';
import { apiPage } from './api-page.ts';
import { runScript, scriptsIn } from './commands.ts';
import { pages, root } from './pages.ts';
import { build, deadLinks } from './site.ts';

const page = (markdown: string, source = 'docs/one.md') => ({ source, file: 'one.html', title: 'One', markdown });

describe('the site', () => {
  const all = pages();
  const built = all.map((each) => build(each, all));

  it('has no dead links, and an anchor for each rule', () => {
    expect(deadLinks(built)).toEqual([]);
    const rules = built.find((each) => each.page.file === 'rules.html');
    expect(rules?.anchors).toContain('lists.paging.limit');
    expect([...(rules?.anchors ?? [])].filter((anchor) => anchor.includes('.')).length).toBeGreaterThan(800);
  });

  it('lists every flag, and what every door offers', () => {
    expect(built.find(({ page: { file } }) => file === 'flags.html')?.html).toContain('--secure-port');
    const api = built.find((each) => each.page.file === 'api.html');
    for (const name of [
      'startserver',
      'makecontroller',
      'serve',
      'runconformance',
      'runrules',
      'fault',
      'test',
      'lead',
    ])
      expect(api?.anchors).toContain(name);
    expect(api?.html).toContain('Starts a server. It is ready when the promise resolves.');
  });

  it.each(apiPage(root).split(/^## /m).slice(1))(
    'has every error that it speaks of behind the same door: %.30s',
    (door) => {
      const thrown = [...door.matchAll(/@throws\*? (\w+)/g)].map(([, name]) => name).filter((name) => name !== 'Error');
      for (const name of thrown) expect(door).toContain(`\n### ${name}\n`);
    },
  );

  it('needs nothing from elsewhere', () => {
    for (const { html } of built) expect(html).not.toMatch(/<(?:script|link|img)[^>]*https?:/);
  });

  it.each([
    ['[x](missing.md)', 'docs/one.md: missing.md'],
    ['[x](#nowhere)', 'docs/one.md: one.html#nowhere'],
    ['[x](../nothing/at/all.ts)', 'docs/one.md: ../nothing/at/all.ts'],
  ])('notices that %s leads nowhere', (markdown, expected) => {
    const one = page(markdown);
    expect(deadLinks([build(one, [one])])).toEqual([expected]);
  });

  it('turns links of the repository into its own', () => {
    const [one, two] = [
      page('# One\n[two](../deep/two.md#a-heading) [one](#one)'),
      { ...page('## A heading', 'deep/two.md'), file: 'two.html' },
    ];
    const both = [one, two].map((each) => build(each, [one, two]));
    expect(both[0]?.html).toContain('href="two.html#a-heading"');
    expect(deadLinks(both)).toEqual([]);
  });
});

describe('commands of the documentation', () => {
  it('are those of blocks that say so, and there are some', () => {
    expect(scriptsIn(page('```sh test\necho a\n```\n\n```sh\necho b\n```\n'))).toEqual(['echo a\n']);
    expect(pages().flatMap(scriptsIn).length).toBeGreaterThan(4);
  });

  it('fail with what they said', () => {
    expect(() => runScript('npx touchstone explain no.such.rule')).toThrow('there is no rule "no.such.rule"');
    expect(() => runScript('false')).toThrow('a command of the documentation fails');
    expect(() => runScript('[ "$(npx touchstone --version)" != "" ]')).not.toThrow();
  });
});
