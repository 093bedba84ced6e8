#!/usr/bin/env node
// Judges every client that can be had and writes docs/clients.md; with names these columns of it alone, with --tour only
// what they do on their tour, with --rule only these rules. With --check it writes nothing and ends with 1 when a tour goes
// wrong. `npm run clients [-- NAME… --tour --rule ID… --workers N --patience SECONDS | -- NAME… --check --within SECONDS]`
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../conformance/at-once.ts';
import type { ClientCandidate } from '../conformance/parties/client/context.ts';
import { clientParty } from '../conformance/parties/client/party.ts';
import { playParty } from '../conformance/parties/play.ts';
import type { RuleResult } from '../conformance/result.ts';
import { makeProgress, type Progress } from '../conformance/runner/progress.ts';
import { noSuch } from '../mistyped.ts';
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
  readonly progress: Progress;
}

const workshop = openWorkshop(new AbortController().signal);

/** Clients that are judged side by side: while the last rules of one wait, others are at work. */
const atATime = 3;

async function judge(adapter: Adapter, candidate: ClientCandidate, pace: Pace): Promise<readonly RuleResult[]> {
  const slow = await slowness(candidate);
  const paced = { ...candidate, patience: candidate.patience + slow };
  const onResult = ({ id, verdict, milliseconds }: RuleResult): void => {
    const took = `${(milliseconds / 1_000).toFixed(1)} s`;
    pace.progress.step(verdict, `  ${adapter.name}: ${id} ${verdict}, ${took}`);
  };
  const options = { timeout: 8 * paced.patience, workers: pace.workers, verbose: false, onResult };
  return (await playParty(clientParty, paced, rulesAt(pace), options)).results;
}

const rulesAt = ({ rules }: Pick<Pace, 'rules'>) =>
  clientParty.rules.filter(({ id }) => rules.length === 0 || rules.includes(id));

/** Milliseconds by which more is to be waited for a client: thrice what it needs to start and to show what is there. */
async function slowness(candidate: ClientCandidate): Promise<number> {
  const options = { timeout: 2 * candidate.patience, workers: 1, verbose: false };
  const { results } = await playParty(clientParty, candidate, clientParty.rules.slice(0, 1), options);
  return results[0]?.verdict === 'pass' ? 3 * results[0].milliseconds : 0;
}

/** What is said of a client; what is not asked for stays as it was said before. */
async function columnFor(adapter: Adapter, { pace, tour: onlyTour }: Wish, before: Column): Promise<Column> {
  try {
    const candidate = { command: await adapter.command(workshop), patience: pace.patience };
    if (pace.rules.length > 0)
      return adapter.onlyTours ? before : onRules(before, await judge(adapter, candidate, pace));
    const toured = (await tour(candidate.command)) ?? new Map();
    if (onlyTour) return onTour(before, toured);
    return columnOf(adapter.name, adapter.onlyTours ? [] : await judge(adapter, candidate, pace), toured);
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
      workers: { type: 'string', default: '5' },
      patience: { type: 'string', default: '30' },
    },
  });
  const clients = adapters.map(({ name }) => name);
  const unknown = names.find((name) => !clients.includes(name));
  if (unknown) mistaken('clients', `${noSuch('client', unknown, clients)}; there are ${clients.join(', ')}`);
  const rules = clientParty.rules.map(({ id }) => id);
  const unknownRule = values.rule.find((id) => !rules.includes(id));
  if (unknownRule) mistaken('clients', noSuch('rule', unknownRule, rules));
  const chosen = adapters.filter(({ name }) => names.length === 0 || names.includes(name));
  const judged = values.tour || values.check ? [] : chosen.filter(({ onlyTours }) => !onlyTours);
  const pace: Pace = {
    rules: values.rule,
    workers: numberGiven('clients', 'workers', values.workers),
    patience: numberGiven('clients', 'patience', values.patience) * 1_000,
    progress: makeProgress(judged.length * rulesAt({ rules: values.rule }).length),
  };
  return {
    chosen,
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
  await atOnce(atATime, chosen, async (adapter) => {
    const before = columns.get(adapter.name) ?? columnOf(adapter.name, []);
    columns.set(adapter.name, await columnFor(adapter, asked, before));
  });
  if (!asked.tour) asked.pace.progress.done();
  const inOrder = adapters.flatMap(({ name }) => columns.get(name) ?? []);
  writeFileSync(file, pageOf(inOrder, { rules: clientParty.rules.map(({ id }) => id), topics: Object.keys(topics) }));
}

const asked = wish();
if (asked.check) {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  process.exitCode = (await checkTours(asked.chosen, asked.within, print)) ? 0 : 1;
} else await writePage(asked);
