#!/usr/bin/env node
// Judges every client for which there is a toolchain and writes docs/clients.md; with names these columns of it alone,
// with --tour only what they do on their tour. `npm run clients [-- NAME… --tour --workers N --patience SECONDS]`
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientParty } from '../conformance/parties/client/party.ts';
import { playParty } from '../conformance/parties/play.ts';
import type { RuleResult } from '../conformance/result.ts';
import { timeLeft } from '../conformance/runner/time-left.ts';
import { type Adapter, adapters } from './clients/adapters.ts';
import { absence, type Column, columnOf, columnsIn, onTour, pageOf } from './clients/page.ts';
import { topics, tour } from './clients/tour.ts';
import { given, mistaken, numberGiven } from './given.ts';

const docs = join(import.meta.dirname, '../docs');
const file = join(docs, 'clients.md');

class MissingToolchain extends Error {}

function commandOf({ command }: Adapter, folder: string): readonly string[] {
  try {
    return command(folder);
  } catch (error) {
    throw new MissingToolchain((error as Error).message.split('\n')[0]);
  }
}

interface Pace {
  readonly workers: number;
  /** Milliseconds to wait for what should come. */
  readonly patience: number;
}

/** What is said of a client: judged anew, or with `--tour` as it was judged before. */
async function judge(adapter: Adapter, { workers, patience }: Pace, before?: Column): Promise<Column> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-clients-'));
  try {
    const candidate = { command: commandOf(adapter, folder), patience };
    const toured = await tour(candidate.command);
    if (before) return onTour(before, toured ?? new Map());
    if (adapter.onlyTours) return columnOf(adapter.name, [], toured);
    const onResult = ({ id, verdict }: RuleResult): void => void process.stderr.write(`  ${id} ${verdict}\n`);
    const options = { timeout: 6 * patience, workers, verbose: false, onResult };
    const { results } = await playParty(clientParty, candidate, clientParty.rules, options);
    return columnOf(adapter.name, results, toured);
  } catch (error) {
    if (!(error instanceof MissingToolchain)) throw error;
    return absence(adapter.name, error.message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wish() {
  const { positionals: names, values } = given('clients', {
    allowPositionals: true,
    options: {
      tour: { type: 'boolean', default: false },
      workers: { type: 'string', default: '8' },
      patience: { type: 'string', default: '30' },
    },
  });
  const pace: Pace = {
    workers: numberGiven('clients', 'workers', values.workers),
    patience: numberGiven('clients', 'patience', values.patience) * 1_000,
  };
  const known = adapters.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) mistaken('clients', `there is no client named ${unknown}; there are ${known.join(', ')}`);
  return { names, pace, onlyTour: values.tour };
}

const { names, pace, onlyTour } = wish();
const columns = new Map<string, Column>();
const earlier = (names.length > 0 || onlyTour) && existsSync(file) ? columnsIn(readFileSync(file, 'utf8')) : [];
for (const column of earlier) columns.set(column.name, column);
const chosen = adapters.filter(({ name }) => names.length === 0 || names.includes(name));
for (const [done, adapter] of chosen.entries()) {
  process.stderr.write(
    `${done + 1}/${chosen.length} ${adapter.name}${timeLeft(done, chosen.length, performance.now())}\n`,
  );
  const before = onlyTour ? (columns.get(adapter.name) ?? columnOf(adapter.name, [])) : undefined;
  columns.set(adapter.name, await judge(adapter, pace, before));
}
mkdirSync(docs, { recursive: true });
const inOrder = adapters.flatMap(({ name }) => columns.get(name) ?? []);
const rows = { rules: clientParty.rules.map(({ id }) => id), topics: Object.keys(topics) };
writeFileSync(file, pageOf(inOrder, rows));
