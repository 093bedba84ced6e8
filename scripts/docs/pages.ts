import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Flag } from '../../server/base/flag.ts';
import { serverFlags } from '../../server/options/flags.ts';
import { apiPage } from './api-page.ts';

export const root = join(import.meta.dirname, '..', '..');

/** A page of the site: prose of the repository, or generated from data. */
export interface Page {
  /** Where it stands in the repository, or would; links are relative to it. */
  readonly source: string;
  readonly file: string;
  readonly title: string;
  readonly markdown: string;
}

const prose = (source: string, file: string, title: string): Page => ({
  source,
  file,
  title,
  markdown: readFileSync(join(root, source), 'utf8'),
});

/** What stands in blocks of code that say `ts`: it is complete, and compiles beside the package. Parts say `ts part`. */
export const snippetsIn = ({ source, markdown }: Page): readonly string[] =>
  isGenerated(source) ? [] : [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, snippet = '']) => snippet);

const isGenerated = (source: string) => source === 'docs/api.md';

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const flagRow = ({ name, type, default: fallback, help }: Flag): string => {
  // The folder of whoever builds the site is nobody else's.
  const shown = fallback.startsWith('/') && name.endsWith('-dir') ? '~/.touchstone' : fallback;
  return `| ${code(`--${name}`)} | ${type} | ${shown ? code(shown) : ''} | ${cell(help)} |`;
};

const flagsPage = (): string =>
  [
    '# Flags of the server',
    '',
    'Of `touchstone serve` and `touchstone up`.',
    '',
    '| Flag | Type | Default | What |',
    '|---|---|---|---|',
  ]
    .concat(serverFlags.map(flagRow))
    .join('\n');

/** All pages, in the order of the site's navigation. */
export const pages = (): readonly Page[] => [
  prose('docs/index.md', 'index.html', 'Start'),
  prose('docs/judge.md', 'judge.html', 'Judge a server'),
  prose('docs/serve.md', 'serve.html', 'The reference server'),
  prose('docs/tests.md', 'tests.html', 'Tests'),
  prose('fixtures/examples/README.md', 'examples.html', 'Examples, faults, time'),
  prose('docs/package.md', 'package.html', 'As a package'),
  prose('docs/envtest.md', 'envtest.html', 'envtest'),
  prose('controllers/README.md', 'controllers.html', 'Controllers'),
  prose('webhooks/README.md', 'webhooks.html', 'Webhooks'),
  prose('conformance/README.md', 'conformance.html', 'The suite'),
  prose('docs/compare.md', 'compare.html', 'Beside others'),
  prose('docs/clients.md', 'clients.html', 'Clients'),
  prose('conformance/oracle/README.md', 'oracle.html', 'The oracle'),
  prose('controllers/ingress/README.md', 'ingress.html', 'The ingress controller'),
  prose('server/README.md', 'inside.html', 'Inside'),
  prose('conformance/RULES.md', 'rules.html', 'The rules'),
  { source: 'docs/flags.md', file: 'flags.html', title: 'Flags', markdown: flagsPage() },
  { source: 'docs/api.md', file: 'api.html', title: 'API', markdown: apiPage(root) },
];

/** Other names under which pages are linked. */
export const aliases: Readonly<Record<string, string>> = { 'docs/rules.md': 'rules.html' };
