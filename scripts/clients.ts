#!/usr/bin/env node
// Judges every client that can be had and writes docs/clients.md; with names these columns of it alone, with --tour only
// what they do on their tour, with --rule only these rules. With --check it writes nothing and ends with 1 when a tour goes
// wrong. `npm run clients [-- NAME… --tour --rule ID… --workers N --patience SECONDS | -- NAME… --check --within SECONDS]`
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientCandidate } from '../conformance/parties/client/context.ts';
import { clientParty } from '../conformance/parties/client/party.ts';
import { playParty } from '../conformance/parties/play.ts';
import type { RuleResult } from '../conformance/result.ts';
import { timeLeft } from '../conformance/runner/time-left.ts';
import { type Adapter, adapters } from './clients/adapters.ts';
import { checkTours } from './clients/check.ts';
import { absence, type Column, columnOf, columnsIn, onRules, onTour, pageOf } from './clients/page.ts';
import { topics, tour } from './clients/tour.ts';
import { NotToBeHad, openWorkshop } from './clients/workshop.ts';
import { given, mistaken, numberGiven } from './given.ts';

const file = join(import.meta.dirname, '../docs/clients.md');

interface Pace {
  /** Those that are played; none is all of them. */
  readonly rules: readonly string[];
  readonly workers: number;
  /** Milliseconds to wait for what should come. */
  readonly patience: number;
}

const workshop = openWorkshop(new AbortController().signal);

async function judge(candidate: ClientCandidate, { rules, workers }: Pace): Promise<readonly RuleResult[]> {
  const onResult = ({ id, verdict }: RuleResult): void => void process.stderr.write(`  ${id} ${verdict}\n`);
  const options = { timeout: 6 * candidate.patience, workers, verbose: false, onResult };
  const chosen = clientParty.rules.filter(({ id }) => rules.length === 0 || rules.includes(id));
  return (await playParty(clientParty, candidate, chosen, options)).results;
}

/** What is said of a client; what is not asked for stays as it was said before. */
async function columnFor(adapter: Adapter, { pace, tour: onlyTour }: Wish, before: Column): Promise<Column> {
  try {
    const candidate = { command: await adapter.command(workshop), patience: pace.patience };
    if (pace.rules.length > 0) return adapter.onlyTours ? before : onRules(before, await judge(candidate, pace));
    const toured = (await tour(candidate.command)) ?? new Map();
    if (onlyTour) return onTour(before, toured);
    return columnOf(adapter.name, adapter.onlyTours ? [] : await judge(candidate, pace), toured);
  } catch (error) {
    if (!(error instanceof NotToBeHad)) throw error;
    return absence(adapter.name, error.message);
  }
}

type Wish = ReturnType<typeof wish>;

function wish() {
  const { positionals: names, values } = given('clients', {
    allowPositionals: true,
    options: {
      tour: { type: 'boolean', default: false },
      rule: { type: 'string', multiple: true, default: [] },
      check: { type: 'boolean', default: false },
      within: { type: 'string', default: '3600' },
      workers: { type: 'string', default: '8' },
      patience: { type: 'string', default: '30' },
    },
  });
  const clients = adapters.map(({ name }) => name);
  const unknown = names.find((name) => !clients.includes(name));
  if (unknown) mistaken('clients', `there is no client named ${unknown}; there are ${clients.join(', ')}`);
  const unknownRule = values.rule.find((id) => !clientParty.rules.some((rule) => rule.id === id));
  if (unknownRule) mistaken('clients', `there is no rule ${unknownRule}`);
  const pace: Pace = {
    rules: values.rule,
    workers: numberGiven('clients', 'workers', values.workers),
    patience: numberGiven('clients', 'patience', values.patience) * 1_000,
  };
  return {
    chosen: adapters.filter(({ name }) => names.length === 0 || names.includes(name)),
    isPart: names.length > 0 || values.tour || values.rule.length > 0,
    pace,
    tour: values.tour,
    check: values.check,
    within: numberGiven('clients', 'within', values.within) * 1_000,
  };
}

async function writePage(asked: Wish): Promise<void> {
  const { chosen, isPart } = asked;
  const earlier = isPart && existsSync(file) ? columnsIn(readFileSync(file, 'utf8')) : [];
  const columns = new Map<string, Column>(earlier.map((column) => [column.name, column]));
  for (const [done, adapter] of chosen.entries()) {
    const left = timeLeft(done, chosen.length, performance.now());
    process.stderr.write(`${done + 1}/${chosen.length} ${adapter.name}${left}\n`);
    const before = columns.get(adapter.name) ?? columnOf(adapter.name, []);
    columns.set(adapter.name, await columnFor(adapter, asked, before));
  }
  const inOrder = adapters.flatMap(({ name }) => columns.get(name) ?? []);
  writeFileSync(file, pageOf(inOrder, { rules: clientParty.rules.map(({ id }) => id), topics: Object.keys(topics) }));
}

const asked = wish();
if (asked.check) {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  process.exitCode = (await checkTours(asked.chosen, asked.within, print)) ? 0 : 1;
} else await writePage(asked);
