#!/usr/bin/env node
// Judges every client for which there is a toolchain and writes docs/clients.md. `npm run clients [-- NAME…]`
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clientParty } from '../conformance/parties/client/party.ts';
import { playParty } from '../conformance/parties/play.ts';
import type { RuleResult } from '../conformance/result.ts';

const root = join(import.meta.dirname, '..');
const fixtures = join(root, 'fixtures/clients');

interface Adapter {
  readonly name: string;
  /** Makes ready what is needed and gives the command. @throws Error when the toolchain is missing */
  readonly command: (folder: string) => readonly string[];
}

const node = (file: string): readonly string[] => [process.execPath, join(fixtures, file)];

const adapters: readonly Adapter[] = [
  { name: 'controllers/runtime', command: () => node('runtime/main.ts') },
  { name: 'client-node informer', command: () => node('client-node/informer.ts') },
  { name: 'client-node watch', command: () => node('client-node/watch.ts') },
  { name: 'Python watch', command: python },
  { name: 'client-go informer', command: go },
  { name: 'kubectl get -w', command: kubectl },
];

function python(folder: string): readonly string[] {
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'ignore' });
  const inside = (name: string): string => join(folder, 'bin', name);
  execFileSync(inside('pip'), ['install', '--quiet', 'kubernetes'], { stdio: 'ignore' });
  return [inside('python'), join(fixtures, 'python/watch.py')];
}

function go(folder: string): readonly string[] {
  const program = join(folder, 'client');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: join(fixtures, 'go'), stdio: 'ignore' });
  return [program];
}

function kubectl(): readonly string[] {
  execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
  return ['env', `NODE=${process.execPath}`, join(fixtures, 'kubectl/watch.sh')];
}

interface Judged {
  readonly name: string;
  readonly results: readonly RuleResult[];
  /** Why it was not judged. */
  readonly missing?: string;
}

async function judge({ name, command }: Adapter): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-clients-'));
  try {
    const candidate = { command: commandOf(command, folder), patience: 30_000 };
    const options = { timeout: 180_000, workers: 8, verbose: false };
    const { results } = await playParty(clientParty, candidate, clientParty.rules, options);
    return { name, results };
  } catch (error) {
    if (!(error instanceof MissingToolchain)) throw error;
    return { name, results: [], missing: error.message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class MissingToolchain extends Error {}

function commandOf(command: Adapter['command'], folder: string): readonly string[] {
  try {
    return command(folder);
  } catch (error) {
    throw new MissingToolchain((error as Error).message.split('\n')[0]);
  }
}

const marks = { pass: '✓', fail: '✗', warn: '!', skipped: '·', error: 'E' } as const;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 300);

function page(judged: readonly Judged[]): string {
  const present = judged.filter(({ missing }) => missing === undefined);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const of = ({ results }: Judged, id: string): RuleResult | undefined => results.find((result) => result.id === id);
  const counts = ({ results }: Judged, verdict: keyof typeof marks): string =>
    String(results.filter((result) => result.verdict === verdict).length);
  const verdicts = Object.keys(marks) as (keyof typeof marks)[];
  return [
    '# Clients under judgement',
    '',
    'Made by `npm run clients`. ✓ keeps the rule, ✗ breaks a must, ! does not keep what it should, · was not judged.',
    'To see the exchange that shows a failure: `touchstone judge client --rule ID -- COMMAND`, with the adapters of',
    '`fixtures/clients/`.',
    '',
    row(['Client', ...verdicts]),
    row(['---', ...verdicts.map(() => '---:')]),
    ...present.map((one) => row([one.name, ...verdicts.map((verdict) => counts(one, verdict))])),
    '',
    ...judged.flatMap(({ name, missing }) => (missing === undefined ? [] : [`${name} was not judged: ${missing}`, ''])),
    row(['Rule', ...present.map(({ name }) => name)]),
    row(['---', ...present.map(() => ':---:')]),
    ...clientParty.rules.map(({ id }) =>
      row([`\`${id}\``, ...present.map((one) => marks[of(one, id)?.verdict ?? 'error'])]),
    ),
    ...present.flatMap((one) => ['', `## ${one.name}`, '', ...findings(one)]),
    '',
  ].join('\n');
}

const findings = ({ results }: Judged): readonly string[] => {
  const broken = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skipped');
  if (broken.length === 0) return ['Keeps every rule that it was judged by.'];
  return broken.map(({ id, statement, finding }) => `- \`${id}\`: ${statement} Seen: ${cell(seen(finding?.message))}`);
};

/** What a run makes anew each time is no news. */
const seen = (message = ''): string =>
  (message.split('\n')[0] ?? '').replace(/\d+\.\d{3,}/g, (number) => String(Math.round(Number(number))));

const { positionals } = parseArgs({ allowPositionals: true });
const chosen = adapters.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const judged: Judged[] = [];
for (const adapter of chosen) {
  process.stderr.write(`${adapter.name}\n`);
  judged.push(await judge(adapter));
}
mkdirSync(join(root, 'docs'), { recursive: true });
const text = page(judged);
if (positionals.length > 0) process.stdout.write(text);
else writeFileSync(join(root, 'docs/clients.md'), text);
